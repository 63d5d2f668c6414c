import type { ReportItem } from './item'

/**
 * The reports know no clock: the newest moment that the workspace knows of stands for today, so that the same workspace
 * gives the same report. Moments are ISO 8601 UTC with milliseconds, and so compare as text.
 */
export function newestMoment(items: readonly ReportItem[]): string | null {
  return latest(items.flatMap((item) => [item.changedAt, item.fetchedAt]))
}

export function latest(moments: readonly string[]): string | null {
  return moments.reduce<string | null>((best, at) => (best === null || at > best ? at : best), null)
}

export function earliest(moments: readonly string[]): string | null {
  return moments.reduce<string | null>((best, at) => (best === null || at < best ? at : best), null)
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Whole days of 24 hours. */
export function daysBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS)
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
