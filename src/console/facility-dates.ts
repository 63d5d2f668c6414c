import { inputError } from '../kernel'
import { formatDate, parseDate } from '../kernel/time'

/** The date of an instant at a facility. */
export function localDate(instant: string | number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant))
}

/** The time of day of an instant at a facility, such as `06:30`. */
export function localTime(instant: string | number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(new Date(instant))
}

/** Date and time at a facility, such as `1 Mar 2027, 06:00`. */
export function formatLocal(instant: string | number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(instant),
  )
}

export function addDays(date: string, days: number): string {
  return formatDate(parseDate(date) + days)
}

/** The seven dates of the week of a date, from Monday. Throws `invalid` for what is no date. */
export function datesOfWeek(date: string): string[] {
  const day = parseDate(date)
  if (Number.isNaN(day) || formatDate(day) !== date)
    throw inputError([{ path: 'date', message: 'must be an existing date in the form YYYY-MM-DD' }])
  // The first day of the epoch was a Thursday.
  const monday = day - ((((day + 3) % 7) + 7) % 7)
  return Array.from({ length: 7 }, (_, index) => formatDate(monday + index))
}

/** Such as `Mon 2027-03-01`. */
export function formatWeekday(date: string): string {
  return `${new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' }).format(new Date(date))} ${date}`
}

/** Such as `35 min` or `2 h 5 min`. */
export function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
