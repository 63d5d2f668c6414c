import { inputError, type StudioError } from '../../../kernel'
import { DAY_MS, formatDate, formatInstant, MINUTE_MS, parseDate, parseTimeOfDay } from '../../../kernel/time'
import type { AppointmentType } from '../../facilities/rules/facility'
import { formatLocalDateTime, formatZonedDateTime, getLocalDay, listInstants } from '../../rules/zoned-time'

/** `06:30`, `2027-03-01T06:30` at the facility, or an instant with its offset. */
export const START_TIME =
  /^(\d{4}-\d\d-\d\d[T ])?([01]\d|2[0-3]):[0-5]\d$|^\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const TIME_OF_DAY_LENGTH = '06:30'.length
const LOCAL_TIME_LENGTH = '2027-03-01T06:30'.length

/** The first date to try, and the only accepted start; null for the earliest one. */
export interface RequestedStart {
  date: string
  startAt: number | null
}

/** `startTime` has the form of `START_TIME`. Throws `invalid` if the start is not one instant, or is not on the date. */
export function resolveStart(
  timeZone: string,
  { targetDate, startTime }: { targetDate?: string | null; startTime?: string | null },
): RequestedStart {
  if (startTime == null) return { date: targetDate!, startAt: null }
  const startAt = parseTime(timeZone, startTime, { date: targetDate ?? null, path: 'startTime' })
  const date = formatDate(getLocalDay(timeZone, startAt))
  if (targetDate == null || targetDate === date) return { date, startAt }
  throw timeError(
    `is ${formatLocalDateTime(timeZone, startAt)} at the facility, which is not on ${targetDate}`,
    'startTime',
  )
}

/** The instant of a text of the form `START_TIME`, whose time of day alone is on `date`. Throws `invalid`, with the path of its field. */
export function parseTime(
  timeZone: string,
  text: string,
  { date: defaultDate, path }: { date: string | null; path: string },
): number {
  if (text.length === TIME_OF_DAY_LENGTH && defaultDate === null) {
    throw timeError('needs a date: specify targetDate too, or a start such as 2027-03-01T06:30', path)
  }
  const date = text.length === TIME_OF_DAY_LENGTH ? defaultDate! : text.slice(0, 10)
  const day = parseDate(date)
  if (Number.isNaN(day) || formatDate(day) !== date) throw timeError('must be on an existing date', path)
  if (text.length > LOCAL_TIME_LENGTH) return Date.parse(text.replace(' ', 'T'))
  const time = text.slice(-TIME_OF_DAY_LENGTH)
  const instants = listInstants(timeZone, day * DAY_MS + parseTimeOfDay(time) * MINUTE_MS)
  if (instants.length === 1) return instants[0]!
  if (instants.length === 0) throw timeError(`is a time that the clock skips on ${date} in ${timeZone}`, path)
  const choices = instants.map((instant) => formatZonedDateTime(timeZone, instant)).join(' or ')
  throw timeError(`occurs twice on ${date}, because the clock is set back: specify ${choices}`, path)
}

function timeError(message: string, path: string): StudioError {
  return inputError([{ path, message }])
}

/** A free slot: its start and its length in minutes, the type, and the door. It is short enough for a column of a table. */
export const SLOT_ID = /^[0-9a-z]{1,9}-[0-9a-z]{1,3}-[pd]-[\w-]{22}$/

const TYPES: Record<string, AppointmentType> = { p: 'pickup', d: 'delivery' }

export interface IdentifiedSlot {
  startAt: number
  minutes: number
  type: AppointmentType
  doorId: string
}

export function formatSlotId({ startAt, minutes, type, doorId }: IdentifiedSlot): string {
  const door = Buffer.from(doorId.replaceAll('-', ''), 'hex').toString('base64url')
  return [(startAt / MINUTE_MS).toString(36), minutes.toString(36), type[0], door].join('-')
}

/** `slotId` has the form of `SLOT_ID`. */
export function parseSlotId(slotId: string): IdentifiedSlot {
  const [start, minutes, type] = slotId.split('-', 3) as [string, string, string]
  const hex = Buffer.from(slotId.slice(-22), 'base64url').toString('hex')
  return {
    startAt: Number.parseInt(start, 36) * MINUTE_MS,
    minutes: Number.parseInt(minutes, 36),
    type: TYPES[type]!,
    doorId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  }
}

interface SlotChoice {
  slotId?: string | null
  startTime?: string | null
  doorId?: string | null
  durationMinutes?: number | null
}

/** The request with the start, the door and the length of its slot. Throws `invalid` if the slot is for the other type. */
export function takeSlot<Request extends SlotChoice>(request: Request, type: AppointmentType): Request {
  if (request.slotId == null) return request
  const slot = parseSlotId(request.slotId)
  if (slot.startAt > MAX_INSTANT) throw slotError('does not exist')
  if (slot.type !== type) throw slotError(`is for a ${slot.type}, not for a ${type}`)
  return { ...request, startTime: formatInstant(slot.startAt), doorId: slot.doorId, durationMinutes: slot.minutes }
}

const MAX_INSTANT = Date.parse('9999-12-31T00:00:00Z')

function slotError(message: string): StudioError {
  return inputError([{ path: 'slotId', message }])
}

/** Whether a carrier, which may count on it, asks for the door: its appointment is then pinned there. A door that is a part of a slot is not asked for. */
export function isDoorOfCarrier(carrier: string | null, { doorId }: Pick<SlotChoice, 'doorId'>): boolean {
  return carrier !== null && doorId != null
}
