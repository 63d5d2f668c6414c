import { learnPace, type PaceBelief } from './pace'
import { cutRecord, type FinishRecord, MIN_RECORD_ITEMS, MIN_RECORD_WEEKS, sumWeeks } from './record'
import { findPercentile, MAX_DAYS, type Outcomes, PERCENTS, simulate } from './simulate'

/** Past forecasts were made for the next so many items. */
const AMOUNTS = [10, 20, 40, 80]
const WEEKS_BACK = 78
const RUNS_BACK = 400
/** A past forecast is followed for twice the days that are known since then, within these limits: a later day cannot be checked. */
const MIN_DAYS_BACK = 182
const MAX_DAYS_BACK = 728
/** As many weeks of results without a lean count beside those of the record, so that a few results do not mean much. */
const DOUBT_WEEKS = 30
const CALIBRATION_PERCENTS = [5, 15, 25, 35, 50, 60, 70, 85, 95]

/** A forecast as it would have been made after a week of the record, and what came true. */
interface PastForecast {
  /** The number of weeks that were known. */
  week: number
  amount: number
  days: Float64Array
  /** After how many days the amount was finished; null if that is not known yet. */
  actual: number | null
}

export interface Backtest {
  /** How many past forecasts can be judged: the day of 95 % has passed, whether the work was finished by then or not. */
  forecasts: number
  /** For each percentage how many of them were finished by the day of the forecast. */
  right: { percent: number; count: number }[]
  /** The mean pinball loss over 50, 70, 85 and 95 %, in days. */
  loss: number
}

/** What a record says about its future: the pace today, and what past forecasts have shown. */
export interface Learned {
  belief: PaceBelief
  /** Multiplies the pace: above 1 if the work was usually finished earlier than the middle of the forecasts. */
  correction: number
  backtest: Backtest
}

/** Forecasts each of the past weeks from what was known then, corrected by the results that were known then, and counts how often it was right. */
export function* learnFromRecord(record: FinishRecord, seed: number): Generator<void, Learned> {
  const first = Math.max(MIN_RECORD_WEEKS, record.weeks - WEEKS_BACK * 2)
  const weeks = Array.from({ length: Math.max(0, record.weeks - first) }, (_, i) => first + i)
  const counts = sumWeeks(record.days).map((sum, week) => (record.offWeeks.has(week) ? null : sum))
  const beliefs = yield* learnPace(counts, new Set([...weeks, record.weeks]))
  const past: PastForecast[] = []
  for (const week of weeks) {
    const known = cutRecord(record, week)
    if (known.days.reduce((sum, one) => sum + one, 0) < MIN_RECORD_ITEMS) continue
    const maxDays = Math.min(MAX_DAYS_BACK, Math.max(MIN_DAYS_BACK, (record.weeks - week) * 7 * 2))
    const question = { amounts: AMOUNTS, runs: RUNS_BACK, seed: seed + week, maxDays }
    const { days }: Outcomes = yield* simulate(known, beliefs.get(week)!, question)
    for (const [at, amount] of AMOUNTS.entries())
      past.push({ week, amount, days: days[at]!, actual: findActual(record, week * 7, amount) })
  }
  const correction = findCorrection(past, record.weeks)
  return { belief: beliefs.get(record.weeks)!, correction, backtest: judge(past, record.weeks) }
}

function findActual({ days }: FinishRecord, from: number, amount: number): number | null {
  let done = 0
  for (let day = from; day < days.length; day++) {
    done += days[day]!
    if (done >= amount) return day - from + 1
  }
  return null
}

/** From the results that were known when `weeks` weeks were, of the forecasts of the last 78 weeks before. */
function findCorrection(past: readonly PastForecast[], weeks: number): number {
  let [sum, count] = [0, 0]
  for (const { week, days, actual } of past) {
    const middle = findPercentile(days, 50)
    if (actual === null || week < weeks - WEEKS_BACK || week + actual / 7 > weeks || middle > MAX_DAYS) continue
    sum += Math.log(middle / actual)
    count++
  }
  const results = count / AMOUNTS.length
  return Math.exp(sum / AMOUNTS.length / (results + DOUBT_WEEKS))
}

/** Forecasts that are not yet due do not count, even if they came true: those that are late could not count either. */
function judge(past: readonly PastForecast[], weeks: number): Backtest {
  const right = CALIBRATION_PERCENTS.map((percent) => ({ percent, count: 0 }))
  const corrections = new Map<number, number>()
  let [forecasts, loss] = [0, 0]
  for (const { week, days, actual } of past) {
    const correction = corrections.get(week) ?? findCorrection(past, week)
    corrections.set(week, correction)
    const dayOf = (percent: number) => Math.max(1, Math.ceil(findPercentile(days, percent) / correction - 0.02))
    const known = (weeks - week) * 7
    if (dayOf(95) > known) continue
    const after = actual ?? known + 1
    for (const each of right) if (after <= dayOf(each.percent)) each.count++
    loss += measurePinballLoss(after, dayOf)
    forecasts++
  }
  return { forecasts, right, loss: forecasts === 0 ? 0 : loss / forecasts }
}

/** In days: how far the percentiles are from the day, each weighed by how unlikely it said the miss to be. */
export function measurePinballLoss(actual: number, dayOf: (percent: number) => number): number {
  const losses = PERCENTS.map((percent) => {
    const [p, day] = [percent / 100, dayOf(percent)]
    return actual >= day ? p * (actual - day) : (1 - p) * (day - actual)
  })
  return losses.reduce((sum, one) => sum + one, 0) / losses.length
}
