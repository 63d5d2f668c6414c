import { Temporal } from 'temporal-polyfill'
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
