import { createRandom } from '../../../kernel/random'
import { applyMisses, findActual, findMisses, type Misses, type PastForecast, summarizeDays } from './misses'
import { learnPace, type PaceBelief } from './pace'
import { drawNormal } from './random'
import { cutRecord, type FinishRecord, listWholeWeeks, MIN_RECORD_ITEMS, MIN_RECORD_WEEKS } from './record'
import { findPercentile, type Outcomes, PERCENTS, simulate } from './simulate'

/** Past forecasts were made for the next so many items. */
const AMOUNTS = [10, 20, 40, 80]
const RUNS_BACK = 400
/** A past forecast is followed for twice the days that are known since then, within these limits: a later day cannot be checked. */
const MIN_DAYS_BACK = 182
const MAX_DAYS_BACK = 728
const CALIBRATION_PERCENTS = [5, 15, 25, 35, 50, 60, 70, 85, 95]

export interface Backtest {
  /** How many past forecasts can be judged: the day of 95 % has passed, whether the work was finished by then or not. */
  forecasts: number
  /** For each percentage how many of them were finished by the day of the forecast. */
  right: { percent: number; count: number }[]
  /** How many of them were of work that was not finished by the end of the record; it counts as late. */
  unfinished: number
  /** What they were made for, such as the next 10, 20 and 40 items, in ascending order. */
  amounts: number[]
  /** The mean pinball loss over 50, 70, 85 and 95 %, in days. */
  loss: number
}

/** What a record says about its future: the pace today, and what past forecasts have shown. */
export interface Learned extends Misses {
  belief: PaceBelief
  backtest: Backtest
}

/** Forecasts each of the past weeks from what was known then, corrected by the results that were known then, and counts how often it was right. */
export function* learnFromRecord(record: FinishRecord, seed: number): Generator<void, Learned> {
  const weeks = Array.from({ length: Math.max(0, record.weeks - MIN_RECORD_WEEKS) }, (_, i) => MIN_RECORD_WEEKS + i)
  const beliefs = yield* learnPace(listWholeWeeks(record), new Set([...weeks, record.weeks]))
  const past: PastForecast[] = []
  for (const week of weeks) {
    const known = cutRecord(record, week)
    if (known.days.reduce((sum, one) => sum + one, 0) < MIN_RECORD_ITEMS) continue
    const maxDays = Math.min(MAX_DAYS_BACK, Math.max(MIN_DAYS_BACK, (record.weeks - week) * 7 * 2))
    const question = { amounts: chooseAmounts(known, maxDays), runs: RUNS_BACK, seed: seed + week, maxDays }
    const { days }: Outcomes = yield* simulate(known, beliefs.get(week)!, question)
    for (const [at, amount] of question.amounts.entries()) {
      const logDays = summarizeDays(days[at]!, maxDays)
      past.push({ week, amount, days: days[at]!, logDays, actual: findActual(record, week * 7, amount) })
    }
    yield
  }
  const misses = findMisses(past, record.weeks, AMOUNTS.length)
  return { belief: beliefs.get(record.weeks)!, ...misses, backtest: yield* judge(past, record.weeks, seed) }
}

const PACE_WEEKS = 26

/** Without those that are far beyond the days a forecast is followed for: most of the time would go to them, for nothing. */
function chooseAmounts({ days }: FinishRecord, maxDays: number): number[] {
  const recent = days.subarray(-PACE_WEEKS * 7)
  const expected = (recent.reduce((sum, one) => sum + one, 0) / recent.length) * maxDays
  return AMOUNTS.filter((amount, i) => i === 0 || amount <= expected * 2)
}

/** Forecasts that are not yet due do not count, even if they came true: those that are late could not count either. */
function* judge(past: readonly PastForecast[], weeks: number, seed: number): Generator<void, Backtest> {
  const right = CALIBRATION_PERCENTS.map((percent) => ({ percent, count: 0 }))
  const random = createRandom(seed)
  const factors = Float64Array.from({ length: RUNS_BACK }, () => drawNormal(random))
  const missesOf = new Map<number, Misses>()
  const amounts = new Set<number>()
  let [forecasts, unfinished, loss] = [0, 0, 0]
  for (const { week, amount, days, actual } of past) {
    if (!missesOf.has(week)) yield
    const misses = missesOf.get(week) ?? findMisses(past, week, AMOUNTS.length)
    missesOf.set(week, misses)
    const corrected = applyMisses(days, misses, factors)
    const dayOf = (percent: number) => findPercentile(corrected, percent)
    const known = (weeks - week) * 7
    if (dayOf(95) > known) continue
    const after = actual ?? known + 1
    for (const each of right) if (after <= dayOf(each.percent)) each.count++
    loss += measurePinballLoss(after, dayOf)
    forecasts++
    if (actual === null) unfinished++
    amounts.add(amount)
  }
  const ascending = [...amounts].sort((a, b) => a - b)
  return { forecasts, right, unfinished, amounts: ascending, loss: forecasts === 0 ? 0 : loss / forecasts }
}

/** In days: how far the percentiles are from the day, each weighed by how unlikely it said the miss to be. */
export function measurePinballLoss(actual: number, dayOf: (percent: number) => number): number {
  const losses = PERCENTS.map((percent) => {
    const [p, day] = [percent / 100, dayOf(percent)]
    return actual >= day ? p * (actual - day) : (1 - p) * (day - actual)
  })
  return losses.reduce((sum, one) => sum + one, 0) / losses.length
}
