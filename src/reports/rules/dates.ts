import { DAY_MS } from '../../kernel/time'
import type { ReportItem } from './report-item'

/**
 * Reports use the newest instant in the workspace as today, so that the same workspace always gives the same report.
 * Instants are ISO 8601 UTC with milliseconds and compare as text.
 */
export function findNewestInstant(items: readonly ReportItem[]): string | null {
  let newest: string | null = null
  for (const { changedAt, fetchedAt } of items) {
    if (newest === null || changedAt > newest) newest = changedAt
    if (fetchedAt > newest) newest = fetchedAt
  }
  return newest
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
