import { formatLocalDateTime, formatLocalTime } from '../../src/docks/rules/zoned-time'

/** An instant on the clock of a zone: `2027-03-01 06:00`. */
export function formatDateTimeAt(instant: string, timeZone: string): string {
  return formatLocalDateTime(timeZone, Date.parse(instant))
}

/** Its time alone: `06:00`. */
export function formatTimeAt(instant: string, timeZone: string): string {
  return formatLocalTime(timeZone, Date.parse(instant))
}
