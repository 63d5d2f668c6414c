import { DAY_MS, type DayNumber } from './calendar-date'
import type { Door, FacilityRules } from './facility'
import { partsOfDay, timeOnClock } from './local-time'
import { doorGroups, openingHours } from './opening-hours'
import { mergeSpans, type Span } from './spans'

const HOUR_MS = 3_600_000

/** The date from its first instant to its last; null where the clock skips it. */
export function spanOfDay(timeZone: string, day: DayNumber): Span | null {
  const parts = partsOfDay(timeZone, day)
  return parts.length === 0 ? null : { from: parts[0]!.from, to: parts.at(-1)!.to }
}

/** When a door takes appointments of any of its types within the date. */
export function openWithin(facility: FacilityRules, door: Door, day: DayNumber): Span[] {
  const date = spanOfDay(facility.timeZone, day)
  if (date === null) return []
  const open = door.types.flatMap((type) =>
    doorGroups(facility, [door], type).flatMap((group) => openingHours(facility, group, day, DAY_MS).open),
  )
  return mergeSpans(open.map(({ from, to }) => ({ from: Math.max(from, date.from), to: Math.min(to, date.to) })))
}

/** Every full hour that the clock shows on the date, in order: 23 on some dates, 25 on others. */
export function hoursOfDay(timeZone: string, day: DayNumber): { at: number; clock: string }[] {
  return partsOfDay(timeZone, day).flatMap((part) => {
    const first = Math.ceil((part.from + part.offset) / HOUR_MS) * HOUR_MS - part.offset
    const count = Math.max(0, Math.ceil((part.to - first) / HOUR_MS))
    return Array.from({ length: count }, (_, index) => {
      const at = first + index * HOUR_MS
      return { at, clock: timeOnClock(timeZone, at) }
    })
  })
}
