import { Temporal } from 'temporal-polyfill'
import { DAY_MS, MINUTE_MS } from '../../kernel/time'
import type { DayNumber } from './calendar-date'
import { findFirstEndingAfter } from './spans'

/** A stretch of time in which a zone's wall clock keeps the same distance from UTC; `from` included, `to` not. */
export interface OffsetPeriod {
  from: number
  to: number
  /** Milliseconds that the wall clock is ahead of UTC. */
  offset: number
}

/** The name as the zone database spells it (`america/chicago` becomes `America/Chicago`); null for what is no IANA zone. */
export function toCanonicalTimeZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return null
  }
}

/** Per zone, the periods that were asked for so far, sorted. They are facts of the zone database, dear to work out. */
const periodCache = new Map<string, OffsetPeriod[]>()

/** The periods that meet `[from, to]`, in order, without a gap between them. */
export function listOffsetPeriods(timeZone: string, from: number, to: number): OffsetPeriod[] {
  const periods: OffsetPeriod[] = []
  for (let instant = from; instant <= to; instant = periods.at(-1)!.to) periods.push(findPeriod(timeZone, instant))
  return periods
}

function findPeriod(timeZone: string, instant: number): OffsetPeriod {
  const known = periodCache.get(timeZone) ?? []
  periodCache.set(timeZone, known)
  const index = findFirstEndingAfter(known, instant)
  const candidate = known[index]
  if (candidate && candidate.from <= instant) return candidate
  const period = computePeriod(timeZone, instant)
  known.splice(index, 0, period)
  return period
}

function computePeriod(timeZone: string, instant: number): OffsetPeriod {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
  // A transition that lies exactly at the instant is not "previous" to it.
  const previous = zoned.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const next = zoned.getTimeZoneTransition('next')
  return {
    from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: zoned.offsetNanoseconds / 1e6,
  }
}

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
  const [period] = listOffsetPeriods(timeZone, instant, instant)
  return Math.floor((instant + period!.offset) / DAY_MS)
}

/** The earlier of two instants that show the time; the first one after it where the clock skips it. */
export function windowStart(timeZone: string, day: DayNumber, minutes: number): number {
  const local = day * DAY_MS + minutes * MINUTE_MS
  const periods = periodsAround(timeZone, local)
  const shows = periods.find((period) => isShownWithin(period, local))
  return shows ? local - shows.offset : firstInstantAfter(periods, local)
}

/** The later of two instants that show the time; the first one after it where the clock skips it. */
export function windowEnd(timeZone: string, day: DayNumber, minutes: number): number {
  const local = day * DAY_MS + minutes * MINUTE_MS
  const periods = periodsAround(timeZone, local)
  const shows = periods.findLast((period) => isShownWithin(period, local))
  return shows ? local - shows.offset : firstInstantAfter(periods, local)
}

/** The stretches of time in which the zone's clock shows the date, in order; none where it skips the date altogether. */
export function listDayParts(timeZone: string, day: DayNumber): DayPart[] {
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
  return listOffsetPeriods(timeZone, local - DAY_MS, until + DAY_MS)
}

function isShownWithin(period: OffsetPeriod, local: LocalMs): boolean {
  const instant = local - period.offset
  return period.from <= instant && instant < period.to
}

function firstInstantAfter(periods: OffsetPeriod[], local: LocalMs): number {
  return periods.find((period) => period.from + period.offset > local)!.from
}

/** The date and the time on the zone's clock at an instant: `2027-03-01 06:00`, `2026-11-01 01:00 CDT`. */
export function formatLocalDateTime(timeZone: string, instant: number): string {
  return `${localIsoText(timeZone, instant).slice(0, 10)} ${formatLocalTime(timeZone, instant)}`
}

/**
 * The time on the zone's clock at an instant: `06:00`. Where the clock is put back it shows some times twice: these say which of the two
 * is meant, `01:00 CDT` and `01:00 CST`.
 */
export function formatLocalTime(timeZone: string, instant: number): string {
  const [period] = listOffsetPeriods(timeZone, instant, instant)
  const local = instant + period!.offset
  const instants = periodsAround(timeZone, local)
    .filter((candidate) => isShownWithin(candidate, local))
    .map(({ offset }) => local - offset)
  const time = localIsoText(timeZone, instant).slice(11, 16)
  if (instants.length === 1) return time
  const names = new Set(instants.map((candidate) => zoneAbbreviation(timeZone, candidate)))
  const isNamed = names.size === instants.length
  return `${time} ${isNamed ? zoneAbbreviation(timeZone, instant) : formatOffset(period!.offset)}`
}

function localIsoText(timeZone: string, instant: number): string {
  const [period] = listOffsetPeriods(timeZone, instant, instant)
  return new Date(instant + period!.offset).toISOString()
}

/** `CDT`, or `GMT+2` for a zone whose names English readers do not know. */
function zoneAbbreviation(timeZone: string, instant: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(instant)
  return parts.find(({ type }) => type === 'timeZoneName')!.value
}

/** `UTC-05:00` */
function formatOffset(offset: number): string {
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 16)
  return `UTC${offset < 0 ? '-' : '+'}${text}`
}
