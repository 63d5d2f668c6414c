import { DAY_MS, type DayNumber, MINUTE_MS } from './calendar-date'
import { type OffsetPeriod, offsetPeriods } from './zoned-time'

/**
 * The wall clock of a zone as a line of its own: local milliseconds since its 1970-01-01 00:00. An instant shows
 * `instant + offset`; where the clock is put back two instants show the same, where it is put forward none does.
 */
type LocalMs = number

/** A part of a calendar date in which the wall clock runs evenly. Most dates have one; a change of the clock makes two. */
export interface DayPart extends OffsetPeriod {
  day: DayNumber
}

/** The calendar date that the zone's clock shows at an instant. */
export function dayAt(timeZone: string, instant: number): DayNumber {
  const [period] = offsetPeriods(timeZone, instant, instant)
  return Math.floor((instant + period!.offset) / DAY_MS)
}

/** The earlier of two instants that show the time; the first one after it where the clock skips it. */
export function windowStart(timeZone: string, day: DayNumber, minutes: number): number {
  const local = day * DAY_MS + minutes * MINUTE_MS
  const periods = periodsAround(timeZone, local)
  const shows = periods.find((period) => showsWithin(period, local))
  return shows ? local - shows.offset : firstInstantAfter(periods, local)
}

/** The later of two instants that show the time; the first one after it where the clock skips it. */
export function windowEnd(timeZone: string, day: DayNumber, minutes: number): number {
  const local = day * DAY_MS + minutes * MINUTE_MS
  const periods = periodsAround(timeZone, local)
  const shows = periods.findLast((period) => showsWithin(period, local))
  return shows ? local - shows.offset : firstInstantAfter(periods, local)
}

/** The stretches of time in which the zone's clock shows the date, in order; none where it skips the date altogether. */
export function partsOfDay(timeZone: string, day: DayNumber): DayPart[] {
  const midnight = day * DAY_MS
  const parts: DayPart[] = []
  for (const { from, to, offset } of periodsAround(timeZone, midnight, midnight + DAY_MS)) {
    const part = { day, offset, from: Math.max(from, midnight - offset), to: Math.min(to, midnight + DAY_MS - offset) }
    if (part.from < part.to) parts.push(part)
  }
  return parts
}

/** No clock is a whole day away from UTC, so a day to each side holds every instant that may show the time. */
function periodsAround(timeZone: string, local: LocalMs, until: LocalMs = local): OffsetPeriod[] {
  return offsetPeriods(timeZone, local - DAY_MS, until + DAY_MS)
}

function showsWithin(period: OffsetPeriod, local: LocalMs): boolean {
  const instant = local - period.offset
  return period.from <= instant && instant < period.to
}

function firstInstantAfter(periods: OffsetPeriod[], local: LocalMs): number {
  return periods.find((period) => period.from + period.offset > local)!.from
}

/** What the zone's clock shows at an instant, as people write it: `2027-03-01 06:00`. */
export function showOnClock(timeZone: string, instant: number): string {
  const [period] = offsetPeriods(timeZone, instant, instant)
  return new Date(instant + period!.offset)
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, '')
}
