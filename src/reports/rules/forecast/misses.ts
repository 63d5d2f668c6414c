import type { FinishRecord } from './record'
import { MAX_DAYS } from './simulate'

/** A forecast as it would have been made after a week of the record, and what came true. */
export interface PastForecast {
  /** The number of weeks that were known. */
  week: number
  /** What was to be finished. */
  amount: number
  /** One a run, in ascending order. */
  days: Float64Array
  /** The mean and the standard deviation of the logarithms of `days`; null if most runs were not followed to their end. */
  logDays: { mean: number; deviation: number } | null
  /** After how many days the amount was finished; null if that is not known yet. */
  actual: number | null
}

/** What past forecasts of a record were usually wrong by. */
export interface Misses {
  /** Multiplies the pace: above 1 if the work was usually finished earlier than forecast. */
  correction: number
  /** The standard deviation of the logarithm of a factor of the pace, one a run: how much surer than right past forecasts were. */
  spread: number
}

/** As many weeks of results without a miss count beside those of the record, so that a few results do not mean much. */
const DOUBT_WEEKS = 20
/** A lean of the logarithm that is as likely chance as it is not. A larger one counts nearly whole, a smaller one hardly. */
const USUAL_LEAN = 0.1
/** In fewer days, the day of the week decides more than the pace. */
const MIN_DAYS_OF_SPREAD = 7
/** No forecast is surer than this, however its runs agree. */
const MIN_DEVIATION = 0.1
const STEPS = 6

export function summarizeDays(days: Float64Array, maxDays: number): PastForecast['logDays'] {
  if (days[Math.ceil(days.length / 2) - 1]! > maxDays) return null
  const logs = days.map((day) => Math.log(Math.min(day, maxDays)))
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length
  return { mean, deviation: Math.max(MIN_DEVIATION, Math.sqrt(variance)) }
}

/**
 * From what was known after `weeks` weeks. Work that was not finished by then counts as finished later, when the forecast expected it given
 * that: without it, a team that gets slower would look faster than it is. Source: expectation maximization for censored normal data, Schmee
 * and Hahn (1979).
 */
export function findMisses(past: readonly PastForecast[], weeks: number, amounts: number): Misses {
  const known = past.flatMap(({ week, logDays, actual }) => {
    if (logDays === null || week >= weeks) return []
    const limit = (weeks - week) * 7
    const isFinished = actual !== null && actual <= limit
    return [{ ...logDays, isFinished, log: Math.log(isFinished ? actual : limit) }]
  })
  let [lean, variance] = [0, 0]
  for (let step = 0; step < STEPS; step++) {
    let [sum, squares, wide] = [0, 0, 0]
    for (const { mean, deviation, isFinished, log } of known) {
      const whole = Math.sqrt(deviation ** 2 + variance)
      const middle = mean - lean
      const later = isFinished ? { log, variance: 0 } : expectLater(middle, whole, log)
      sum += mean - later.log
      if (Math.exp(mean) < MIN_DAYS_OF_SPREAD) continue
      squares += (middle - later.log) ** 2 + later.variance - deviation ** 2
      wide++
    }
    lean = sum / (known.length + DOUBT_WEEKS * amounts)
    variance = Math.max(0, squares / (wide + DOUBT_WEEKS * amounts))
  }
  const believed = lean === 0 ? 0 : lean ** 3 / (lean ** 2 + USUAL_LEAN ** 2)
  return { correction: Math.exp(believed), spread: Math.sqrt(variance) }
}

/** The mean and the variance of a normal distribution above a limit. */
function expectLater(mean: number, deviation: number, limit: number): { log: number; variance: number } {
  const at = (limit - mean) / deviation
  const hazard = findHazard(at)
  return { log: mean + deviation * hazard, variance: deviation ** 2 * Math.max(0, 1 + at * hazard - hazard ** 2) }
}

/** The density of the standard normal distribution, divided by what lies above. Source: Abramowitz and Stegun, 26.2.17. */
function findHazard(at: number): number {
  if (at > 5) return at + 1 / at
  const density = Math.exp(-(at ** 2) / 2) / Math.sqrt(2 * Math.PI)
  const t = 1 / (1 + 0.2316419 * Math.abs(at))
  const tail =
    density * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return density / (at >= 0 ? tail : 1 - tail)
}

/** After how many days an amount of work was finished, counted from a day of the record. */
export function findActual({ days }: FinishRecord, from: number, amount: number): number | null {
  let done = 0
  for (let day = from; day < days.length; day++) {
    done += days[day]!
    if (done >= amount) return day - from + 1
  }
  return null
}

/**
 * As the forecast would have been with what was known of earlier ones: in ascending order. Work is finished during a day, so the middle of
 * the day moves.
 */
export function applyMisses(days: Float64Array, { correction, spread }: Misses, factors: Float64Array): Float64Array {
  return days
    .map((day, run) =>
      day > MAX_DAYS ? day : Math.max(1, Math.ceil(((day - 0.5) / correction) * Math.exp(spread * factors[run]!))),
    )
    .sort()
}
