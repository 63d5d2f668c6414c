import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time'
import type { BookingLimit, FacilityRules } from '../../facilities/rules/facility'
import { getDaySpan } from '../../facilities/rules/opening-hours'
import { getLocalDay, listDayParts } from '../../rules/zoned-time'
import type { CountedLoad } from './load'
import { findSpansAbove, mergeSpans, type Span, subtractSpans, widenSpan } from './spans'

/** Where a load would exceed a limit. */
export interface LimitedSpans {
  /** It cannot start within them. */
  starts: Span[]
  /** It cannot overlap them. */
  moments: Span[]
}

/** Only a facility with limits needs what they count. */
type CountedSpan = Span & Partial<CountedLoad>

const ALWAYS: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** What a change gives up for the place that it looks for. */
export interface Replacement {
  /** What limits counted before the change and is not among the booked. */
  freed: readonly CountedSpan[]
  /** What the same change has placed already, which is among the booked. */
  placed?: readonly CountedSpan[]
  /** The time of an appointment that is moved alone. It may keep that time even if the facility is full. */
  ownTime?: Span
}

/**
 * The spans in which a further load would exceed the limits. `booked` are all appointments and holds there. A limit may have been lowered
 * below what is booked: a change is then refused only where the limit would count more than before.
 */
export function findLimitedSpans(
  { limits, timeZone }: { limits: readonly BookingLimit[]; timeZone: string },
  load: CountedLoad,
  booked: readonly CountedSpan[],
  { freed, placed = [] }: Replacement = { freed: [] },
): LimitedSpans {
  const found: LimitedSpans = { starts: [], moments: [] }
  for (const limit of limits) {
    const amount = getAmount(limit, load)
    if (amount === 0 || !isCounted(limit, load)) continue
    const isRelevant = (other: CountedSpan) => isCounted(limit, other) && isCountedTogether(limit, load, other)
    const count = (other: CountedSpan) => ({ ...other, amount: getAmount(limit, other) })
    const counted = booked.filter(isRelevant).map(count)
    const exceeded = findSpansAboveIn(limit, timeZone, counted, limit.max - amount)
    const given = freed.filter(isRelevant).map(count)
    const taken = placed.filter(isRelevant).map((other) => ({ ...other, amount: -getAmount(limit, other) }))
    const unchanged = given.length === 0 ? [] : findSpansAboveIn(limit, timeZone, [...given, ...taken], amount - 1)
    const refused = unchanged.length === 0 ? exceeded : subtractSpans(mergeSpans(exceeded), mergeSpans(unchanged))
    found[limit.per === 'moment' ? 'moments' : 'starts'].push(...refused)
  }
  return { starts: mergeSpans(found.starts), moments: mergeSpans(found.moments) }
}

/** What each load counts for a limit, once for all and once for each carrier if the limit counts carriers by themselves. */
export function listAmounts(limit: BookingLimit, loads: readonly Partial<CountedLoad>[]): number[][] {
  const amounts = loads.map((load) => (isCounted(limit, load) ? getAmount(limit, load) : 0))
  if (!limit.eachCarrier) return [amounts]
  const carriers = new Set(loads.map(({ carrierName }) => carrierName).filter((name) => name != null))
  return [...carriers].map((carrier) =>
    amounts.map((amount, index) => (loads[index]!.carrierName === carrier ? amount : 0)),
  )
}

/** The hours that the clock shows on a date. An hour that the clock repeats is one span. */
export function listClockHours(timeZone: string, day: number): Span[] {
  return Array.from({ length: DAY_MS / HOUR_MS }, (_, hour) => {
    const spans = listInstantsOf(timeZone, day * DAY_MS + hour * HOUR_MS, HOUR_MS).filter(({ from, to }) => from < to)
    return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) }
  }).filter(({ from, to }) => from < to)
}

/** The appointments that exceed a limit together. */
export function findExceeding<Booked extends CountedSpan>(
  { limits, timeZone }: { limits: readonly BookingLimit[]; timeZone: string },
  booked: readonly Booked[],
): Set<Booked> {
  const exceeding = new Set<Booked>()
  for (const limit of limits) {
    const counted = booked.filter((one) => isCounted(limit, one) && getAmount(limit, one) > 0)
    const carriers = limit.eachCarrier ? new Set(counted.map(({ carrierName }) => carrierName)) : [null]
    for (const carrier of carriers) {
      const group = limit.eachCarrier ? counted.filter(({ carrierName }) => carrierName === carrier) : counted
      const amounts = group.map((one) => ({ ...one, amount: getAmount(limit, one) }))
      const spans = findSpansAboveIn(limit, timeZone, amounts, limit.max)
      const isWithin = ({ from, to }: Span) =>
        spans.some((span) => span.from < (limit.per === 'moment' ? to : from + 1) && from < span.to)
      for (const one of group) if (isWithin(one)) exceeding.add(one)
    }
  }
  return exceeding
}

/** The span whose appointments decide whether one fits into `span`: more than the span itself, because of buffers and limits. */
export function getDecisiveSpan(
  { limits, bufferMinutes, timeZone }: Pick<FacilityRules, 'limits' | 'bufferMinutes' | 'timeZone'>,
  span: Span,
): Span {
  const { from, to } = widenSpan(span, bufferMinutes * MINUTE_MS)
  if (limits.every(({ per }) => per === 'moment')) return { from, to }
  const date = getDaySpan(timeZone, getLocalDay(timeZone, span.from))!
  return { from: Math.min(from, date.from), to: Math.max(to, date.to) }
}

/** The spans in which the amounts exceed `room`. Those of an hour or a day are spans of starts. */
function findSpansAboveIn(
  { per }: BookingLimit,
  timeZone: string,
  amounts: readonly (Span & { amount: number })[],
  room: number,
): Span[] {
  if (room < 0) return [ALWAYS]
  if (per === 'moment') return findSpansAbove(amounts, room)
  const lengthMs = per === 'hour' ? HOUR_MS : DAY_MS
  const sums = new Map<number, number>()
  for (const { from, amount } of amounts) {
    const period = Math.floor(toLocal(timeZone, from) / lengthMs)
    sums.set(period, (sums.get(period) ?? 0) + amount)
  }
  return [...sums].flatMap(([period, sum]) => (sum > room ? listInstantsOf(timeZone, period * lengthMs, lengthMs) : []))
}

function isCounted({ types, carriers }: BookingLimit, { type, carrierName }: Partial<CountedLoad>): boolean {
  const isOfType = types === null || (type !== undefined && types.includes(type))
  return isOfType && (carriers === null || (carrierName != null && carriers.includes(carrierName)))
}

function isCountedTogether({ eachCarrier }: BookingLimit, one: CountedLoad, other: Partial<CountedLoad>): boolean {
  return !eachCarrier || (one.carrierName !== null && one.carrierName === other.carrierName)
}

function getAmount({ unit }: BookingLimit, { palletCount }: Partial<CountedLoad>): number {
  return unit === 'appointments' ? 1 : (palletCount ?? 0)
}

/** What the clock shows, in milliseconds since its 1970-01-01 00:00. */
function toLocal(timeZone: string, instant: number): number {
  const part = listDayParts(timeZone, getLocalDay(timeZone, instant)).find(({ to }) => instant < to)!
  return instant + part.offset
}

/** When the clock shows a time of the hour or the day that begins at `local`. An hour that the clock repeats has two spans. */
function listInstantsOf(timeZone: string, local: number, lengthMs: number): Span[] {
  return listDayParts(timeZone, Math.floor(local / DAY_MS)).map(({ from, to, offset }) => ({
    from: Math.max(from, local - offset),
    to: Math.min(to, local + lengthMs - offset),
  }))
}
