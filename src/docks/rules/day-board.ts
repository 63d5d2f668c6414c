import { DAY_MS, HOUR_MS } from '../../kernel/time'
import type { DayNumber } from './calendar-date'
import type { Door, FacilityRules } from './facility'
import { getOpeningHours, groupDoorsByHours } from './opening-hours'
import { mergeSpans, type Span } from './spans'
import { formatLocalTime, listDayParts } from './zoned-time'

/** The date from its first instant to its last; null where the clock skips it. */
export function spanOfDay(timeZone: string, day: DayNumber): Span | null {
  const parts = listDayParts(timeZone, day)
  return parts.length === 0 ? null : { from: parts[0]!.from, to: parts.at(-1)!.to }
}

/** When a door takes appointments of any of its types within the date. */
export function listOpenSpans(facility: FacilityRules, door: Door, day: DayNumber): Span[] {
  const date = spanOfDay(facility.timeZone, day)
  if (date === null) return []
  const open = door.types.flatMap((type) =>
    groupDoorsByHours(facility, [door], type).flatMap((group) => getOpeningHours(facility, group, day, DAY_MS).open),
  )
  return mergeSpans(open.map(({ from, to }) => ({ from: Math.max(from, date.from), to: Math.min(to, date.to) })))
}

/** Every full hour that the clock shows on the date, in order: 23 on some dates, 25 on others. */
export function listHours(timeZone: string, day: DayNumber): { at: number; clock: string }[] {
  return listDayParts(timeZone, day).flatMap((part) => {
    const first = Math.ceil((part.from + part.offset) / HOUR_MS) * HOUR_MS - part.offset
    const count = Math.max(0, Math.ceil((part.to - first) / HOUR_MS))
    return Array.from({ length: count }, (_, index) => {
      const at = first + index * HOUR_MS
      return { at, clock: formatLocalTime(timeZone, at) }
    })
  })
}
