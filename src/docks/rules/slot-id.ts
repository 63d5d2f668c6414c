import { inputError, type StudioError } from '../../kernel'
import { formatInstant, MINUTE_MS } from '../../kernel/time'
import type { AppointmentType } from './facility'

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
