import { inputError, type StudioError } from '../../kernel'
import { DAY_MS, MINUTE_MS } from '../../kernel/time'
import { formatDate, parseDate, parseTimeOfDay } from './calendar-date'
import { formatLocalDateTime, formatZonedDateTime, getLocalDay, listInstants } from './zoned-time'

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
  const startAt = parseStart(timeZone, startTime, targetDate ?? null)
  const date = formatDate(getLocalDay(timeZone, startAt))
  if (targetDate == null || targetDate === date) return { date, startAt }
  throw startError(`is ${formatLocalDateTime(timeZone, startAt)} at the facility, which is not on ${targetDate}`)
}

function parseStart(timeZone: string, text: string, targetDate: string | null): number {
  if (text.length === TIME_OF_DAY_LENGTH) {
    if (targetDate !== null) return findInstant(timeZone, targetDate, text)
    throw startError('needs a date: specify targetDate too, or a start such as 2027-03-01T06:30')
  }
  const date = requireDate(text)
  return text.length === LOCAL_TIME_LENGTH
    ? findInstant(timeZone, date, text.slice(-TIME_OF_DAY_LENGTH))
    : Date.parse(text.replace(' ', 'T'))
}

/** The date that the text begins with, unless it does not exist. */
function requireDate(text: string): string {
  const date = text.slice(0, 10)
  const day = parseDate(date)
  if (!Number.isNaN(day) && formatDate(day) === date) return date
  throw startError('must be on an existing date')
}

function findInstant(timeZone: string, date: string, time: string): number {
  const instants = listInstants(timeZone, parseDate(date) * DAY_MS + parseTimeOfDay(time) * MINUTE_MS)
  if (instants.length === 1) return instants[0]!
  if (instants.length === 0) throw startError(`is a time that the clock skips on ${date} in ${timeZone}`)
  const choices = instants.map((instant) => formatZonedDateTime(timeZone, instant)).join(' or ')
  throw startError(`occurs twice on ${date}, because the clock is set back: specify ${choices}`)
}

function startError(message: string): StudioError {
  return inputError([{ path: 'startTime', message }])
}
