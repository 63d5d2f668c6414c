import { DAY_MS } from '../../kernel/time'
import type { ReportItem } from './report-item'

/**
 * Reports use the newest instant in the workspace as today, so that the same workspace always gives the same report. One later than `latest`
 * is a mistake of a file or a clock, and does not count if there is any other. Instants are ISO 8601 UTC with milliseconds and compare as
 * text.
 */
export function findNewestInstant(items: readonly ReportItem[], latest: string | null): string | null {
  let newest: string | null = null
  let newestOfAll: string | null = null
  for (const { changedAt, fetchedAt } of items) {
    for (const at of [changedAt, fetchedAt]) {
      if (newestOfAll === null || at > newestOfAll) newestOfAll = at
      if ((latest === null || at <= latest) && (newest === null || at > newest)) newest = at
    }
  }
  return newest ?? newestOfAll
}

/** No instant of a workspace can be later, whatever the time zones and clocks are that it is from. */
export function findLatestInstant(now: number): string {
  return new Date(now + DAY_MS).toISOString()
}

/** The placeholder for an item from a file that has no change date. */
export const UNKNOWN_INSTANT = '1970-01-01T00:00:00.000Z'

export function findLatest(moments: readonly string[]): string | null {
  return moments.reduce<string | null>((best, at) => (best === null || at > best ? at : best), null)
}

export function findEarliest(moments: readonly string[]): string | null {
  return moments.reduce<string | null>((best, at) => (best === null || at < best ? at : best), null)
}

/** Whole days of 24 hours. */
export function countDaysBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** Days of 24 hours. */
export function subtractDays(moment: string, days: number): string {
  return new Date(Date.parse(moment) - days * DAY_MS).toISOString()
}

const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `4 Nov 2026`, in UTC. */
export function formatDate(moment: string): string {
  return `${Number(moment.slice(8, 10))} ${MONTH_NAMES[Number(moment.slice(5, 7)) - 1]} ${moment.slice(0, 4)}`
}

/** `4 Nov 2026, 09:30 UTC` */
export function formatDateTime(moment: string): string {
  return `${formatDate(moment)}, ${moment.slice(11, 16)} UTC`
}
