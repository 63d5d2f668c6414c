import { Temporal } from 'temporal-polyfill'
import { DAY_MS, type DayNumber, MINUTE_MS } from '../../kernel/time'
import { findFirstEndingAfter } from '../booking/rules/spans'

/** A span in which the offset of a time zone is constant; `from` is included, `to` is not. */
export interface OffsetPeriod {
  from: number
  to: number
  /** Milliseconds that the wall clock is ahead of UTC. */
  offset: number
}

/** The name as the zone database spells it (`America/Chicago` for `america/chicago`); null if it is not an IANA time zone. */
export function toCanonicalTimeZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return null
  }
}

/** The periods computed so far for each zone, sorted. They never change and are expensive to compute. */
const periodCache = new Map<string, OffsetPeriod[]>()

/** The periods that overlap `[from, to]`, in order, without gaps. */
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
  // A transition exactly at the instant is not "previous" to it.
  const previous = zoned.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const next = zoned.getTimeZoneTransition('next')
  return {
    from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: zoned.offsetNanoseconds / 1e6,
  }
}

/**
 * The local time of a zone, in milliseconds since its 1970-01-01 00:00: `instant + offset`. Where the clock is set back, two instants have
 * the same local time; where it is set forward, some local times have no instant.
 */
type LocalMs = number

/** A part of a calendar date in which the offset is constant. Most dates have one part; a clock change makes two. */
export interface DayPart extends OffsetPeriod {
  day: DayNumber
}

/** The calendar date of an instant in the zone. */
export function getLocalDay(timeZone: string, instant: number): DayNumber {
  const [period] = listOffsetPeriods(timeZone, instant, instant)
  return Math.floor((instant + period!.offset) / DAY_MS)
}

/** The instant of a local time: the earlier one if there are two, the first one after it if the clock skips it. */
export function findWindowStart(timeZone: string, day: DayNumber, minutes: number): number {
  const local = day * DAY_MS + minutes * MINUTE_MS
  const periods = listPeriodsAround(timeZone, local)
  const period = periods.find((candidate) => isShownWithin(candidate, local))
  return period ? local - period.offset : findFirstInstantAfter(periods, local)
}

/** The instant of a local time: the later one if there are two, the first one after it if the clock skips it. */
export function findWindowEnd(timeZone: string, day: DayNumber, minutes: number): number {
  const local = day * DAY_MS + minutes * MINUTE_MS
  const periods = listPeriodsAround(timeZone, local)
  const period = periods.findLast((candidate) => isShownWithin(candidate, local))
  return period ? local - period.offset : findFirstInstantAfter(periods, local)
}

/** The instants at which the clock shows a local time: none if it skips it, two if it is set back. */
export function listInstants(timeZone: string, local: LocalMs): number[] {
  return listPeriodsAround(timeZone, local)
    .filter((period) => isShownWithin(period, local))
    .map(({ offset }) => local - offset)
}

/** The parts of a date in the zone, in order; none if the clock skips the whole date. */
export function listDayParts(timeZone: string, day: DayNumber): DayPart[] {
  const midnight = day * DAY_MS
  const parts: DayPart[] = []
  for (const { from, to, offset } of listPeriodsAround(timeZone, midnight, midnight + DAY_MS)) {
    const part = { day, offset, from: Math.max(from, midnight - offset), to: Math.min(to, midnight + DAY_MS - offset) }
    if (part.from < part.to) parts.push(part)
  }
  return parts
}

/** No offset is as long as a day, so a day on each side covers every instant that may have the local time. */
function listPeriodsAround(timeZone: string, local: LocalMs, until: LocalMs = local): OffsetPeriod[] {
  return listOffsetPeriods(timeZone, local - DAY_MS, until + DAY_MS)
}

function isShownWithin(period: OffsetPeriod, local: LocalMs): boolean {
  const instant = local - period.offset
  return period.from <= instant && instant < period.to
}

function findFirstInstantAfter(periods: OffsetPeriod[], local: LocalMs): number {
  return periods.find((period) => period.from + period.offset > local)!.from
}

/** The local date and time of an instant: `2027-03-01 06:00`, `2026-11-01 01:00 CDT`. */
export function formatLocalDateTime(timeZone: string, instant: number): string {
  return `${formatLocalIso(timeZone, instant).slice(0, 10)} ${formatLocalTime(timeZone, instant)}`
}

/** The local time of an instant: `06:00`. Times that occur twice because the clock is set back are distinguished: `01:00 CDT`, `01:00 CST`. */
export function formatLocalTime(timeZone: string, instant: number): string {
  const [period] = listOffsetPeriods(timeZone, instant, instant)
  const instants = listInstants(timeZone, instant + period!.offset)
  const time = formatLocalIso(timeZone, instant).slice(11, 16)
  if (instants.length === 1) return time
  const names = new Set(instants.map((candidate) => getZoneAbbreviation(timeZone, candidate)))
  const isNamed = names.size === instants.length
  return `${time} ${isNamed ? getZoneAbbreviation(timeZone, instant) : formatOffset(period!.offset)}`
}

/** The local date and time with its offset: `2026-11-01T01:30-05:00`. */
export function formatZonedDateTime(timeZone: string, instant: number): string {
  const [period] = listOffsetPeriods(timeZone, instant, instant)
  return `${formatLocalIso(timeZone, instant).slice(0, 16)}${formatOffset(period!.offset).slice(3)}`
}

function formatLocalIso(timeZone: string, instant: number): string {
  const [period] = listOffsetPeriods(timeZone, instant, instant)
  return new Date(instant + period!.offset).toISOString()
}

/** `CDT`, or `GMT+2` for a zone without an English abbreviation. */
function getZoneAbbreviation(timeZone: string, instant: number): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(instant)
  return parts.find(({ type }) => type === 'timeZoneName')!.value
}

/** `UTC-05:00` */
function formatOffset(offset: number): string {
  const text = new Date(Math.abs(offset)).toISOString().slice(11, 16)
  return `UTC${offset < 0 ? '-' : '+'}${text}`
}
