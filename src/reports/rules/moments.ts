import { DAY_MS } from '../../kernel/time'
import type { ReportItem } from './item'

/**
 * The reports know no clock: the newest moment that the workspace knows of stands for today, so that the same workspace
 * gives the same report. Moments are ISO 8601 UTC with milliseconds, and so compare as text.
 */
export function newestMoment(items: readonly ReportItem[]): string | null {
  let newest: string | null = null
  for (const { changedAt, fetchedAt } of items) {
    if (newest === null || changedAt > newest) newest = changedAt
    if (fetchedAt > newest) newest = fetchedAt
  }
  return newest
}

/** Stands for a moment that nobody told: an item out of a file need not say when it was changed. */
export const UNKNOWN_MOMENT = '1970-01-01T00:00:00.000Z'

export function latest(moments: readonly string[]): string | null {
  return moments.reduce<string | null>((best, at) => (best === null || at > best ? at : best), null)
}

export function earliest(moments: readonly string[]): string | null {
  return moments.reduce<string | null>((best, at) => (best === null || at < best ? at : best), null)
}

/** Whole days of 24 hours. */
export function daysBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** The moment so many days of 24 hours before. */
export function daysBefore(moment: string, days: number): string {
  return new Date(Date.parse(moment) - days * DAY_MS).toISOString()
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `4 Nov 2026`, in UTC. */
export function dateText(moment: string): string {
  return `${Number(moment.slice(8, 10))} ${months[Number(moment.slice(5, 7)) - 1]} ${moment.slice(0, 4)}`
}

/** `4 Nov 2026, 09:30 UTC` */
export function momentText(moment: string): string {
  return `${dateText(moment)}, ${moment.slice(11, 16)} UTC`
}
