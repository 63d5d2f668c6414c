import { DAY_MS } from './calendar-date'
import type { DayPart } from './local-time'

/**
 * The first instant at or after `notBefore` at which the date's wall clock shows a multiple of `slotMs` since 00:00.
 * Both passes of a repeated hour have such instants; null when the date has none left.
 */
export function findFirstStart(parts: readonly DayPart[], slotMs: number, notBefore: number): number | null {
  for (const part of parts) {
    const midnight = part.day * DAY_MS - part.offset
    const sinceMidnight = Math.max(part.from, notBefore) - midnight
    const start = midnight + Math.ceil(sinceMidnight / slotMs) * slotMs
    if (start < part.to) return start
  }
  return null
}
