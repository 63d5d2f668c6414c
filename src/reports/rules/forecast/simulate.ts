import { createRandom, type Random } from '../../../kernel/random'
import type { PaceBelief } from './pace'
import { drawFrom, drawIndex, drawNormal, drawPoisson, tabulateGamma } from './random'
import { type FinishRecord, learnWeekdays, listWholeWeeks } from './record'

/** A run that is not finished by then says "later than this". */
export const MAX_DAYS = 3_650
export const RUNS = 2_000
/** The percentages whose dates a forecast gives, and that its loss is measured at. */
export const PERCENTS = [50, 70, 85, 95] as const

/** What is asked of the future. */
export interface Question {
  /** Amounts of work that are done in this order, each including those before it, in the unit of the record. */
  amounts: readonly number[]
  /** Also count what is finished after so many days; null for no count. */
  countAfter?: number | null
  /** For the work that each amount adds: how many new items each finished one brings. Without it, none. */
  growths?: readonly number[]
  /** What is not finished by then counts as later than `MAX_DAYS`. */
  maxDays?: number
  /** From 0 to 1: how much of the pace is for this work. */
  focus?: number
  /** Multiplies the pace: what past forecasts of the same record have shown. */
  correction?: number
  /** How much more the pace of a run differs than the record says: the standard deviation of its logarithm. */
  spread?: number
  runs?: number
  seed: number
}

export interface Outcomes {
  /** For each amount the days on which it was finished, one a run, in ascending order; `MAX_DAYS + 1` for later. */
  days: Float64Array[]
  /** What was finished after `countAfter` days, one a run, in ascending order. */
  counts: Float64Array
}

/** Each run draws a model, a pace, and from there week by week what is finished, day by day. Yields now and then. */
export function* simulate(record: FinishRecord, belief: PaceBelief, question: Question): Generator<void, Outcomes> {
  const { amounts, runs = RUNS, countAfter = null, growths = [], maxDays = MAX_DAYS } = question
  const walk = prepareWalk(record, belief, question)
  const days = amounts.map(() => new Float64Array(runs).fill(MAX_DAYS + 1))
  const counts = new Float64Array(countAfter === null ? 0 : runs)
  let walked = 0
  for (let run = 0; run < runs; run++) {
    // Of its own, so that a run does not depend on how far the others went: the same question by another date has the same runs.
    const random = createRandom(Math.imul(question.seed, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b))
    const weeks = walk(random)
    const targets = drawTargets(random, amounts, growths)
    const scale = (targets.at(-1) || 1) / (amounts.at(-1) || 1)
    let [done, reached] = [0, 0]
    for (let first = 1; first <= maxDays; first += 7) {
      if (reached === days.length && (countAfter === null || first > countAfter)) break
      walked++
      const count = weeks.next()
      const isCounted = countAfter !== null && countAfter >= first && countAfter < first + 7
      // Most weeks only add up: on which days their work is done matters where an amount is reached.
      if (!isCounted && !(reached < days.length && done + count >= targets[reached]! - 1e-9)) {
        done += count
        continue
      }
      for (const [at, more] of weeks.place().entries()) {
        const day = first + at
        if (day > maxDays) break
        done += more
        while (reached < days.length && done >= targets[reached]! - 1e-9) days[reached++]![run] = day
        if (day === countAfter) counts[run] = done / scale
      }
    }
    if (walked < WEEKS_A_TURN) continue
    walked = 0
    yield
  }
  return { days: days.map((each) => each.sort()), counts: counts.sort() }
}

/** A turn of the simulation takes a few milliseconds. */
const WEEKS_A_TURN = 5_000

/** The amounts as they will be in the end: each part is more than now by its growth, which is itself uncertain. */
function drawTargets(random: Random, amounts: readonly number[], growths: readonly number[]): readonly number[] {
  if (!growths.some((growth) => growth > 0)) return amounts
  const factor = Math.exp(GROWTH_SPREAD * drawNormal(random))
  let sum = 0
  return amounts.map((amount, i) => {
    const part = amount - (amounts[i - 1] ?? 0)
    sum += part / (1 - Math.min(MAX_GROWTH, (growths[i] ?? 0) * factor))
    return sum
  })
}

const MAX_GROWTH = 0.75
const GROWTH_SPREAD = 0.4
/** How much of its distance to the long-term pace the pace loses in a week. Without it, distant dates get far too late. */
const RETURN = 0.04
const LONG_WEEKS = 26
/** Of more items in a week, each day has its usual share: drawing the day of each would take long, and says nothing more. */
const MANY = 60

interface Weeks {
  /** How much is finished in the next week. */
  next: () => number
  /** How much of it on each of its days. */
  place: () => Float64Array
}

function prepareWalk(record: FinishRecord, belief: PaceBelief, question: Question): (random: Random) => Weeks {
  const { focus = 1, correction = 1, spread = 0 } = question
  const { logPaces, models } = belief
  const weights = models.map(({ weight }) => weight)
  const recent = listWholeWeeks(record)
    .filter((count) => count !== null)
    .slice(-LONG_WEEKS)
  const longPace = Math.log(Math.max(0.3, recent.reduce((sum, count) => sum + count, 0) / Math.max(1, recent.length)))
  const chancesOf = prepareDays(record)
  const highest = logPaces.at(-1)!
  return (random) => {
    const model = models[drawIndex(random, weights)]!
    const unevenness = tabulateGamma(model.evenness)
    let logPace = logPaces[drawIndex(random, model.chances)]! + (random() - 0.5) * (logPaces[1]! - logPaces[0]!)
    const factor = correction * focus * (spread === 0 ? 1 : Math.exp(spread * drawNormal(random)))
    // The days have numbers of their own, so that a run does not depend on the weeks whose days were asked for.
    const seed = random() * 2 ** 32
    const week = new Float64Array(7)
    let [first, count] = [-6, 0]
    let { chances, open } = chancesOf(1)
    return {
      next: () => {
        first += 7
        logPace = Math.min(highest, logPace + model.drift * drawNormal(random))
        logPace += (longPace - logPace) * RETURN
        ;({ chances, open } = chancesOf(first))
        count = drawPoisson(random, Math.exp(logPace) * drawFrom(random, unevenness) * factor * Math.min(1, open))
        return count
      },
      place: () => {
        week.fill(0)
        if (count === 0) return week
        if (count > MANY) return week.map((_, i) => (count * chances[i]!) / open)
        const randomDays = createRandom(seed ^ first)
        for (let i = 0; i < count; i++) week[drawIndex(randomDays, chances, open)]!++
        return week
      },
    }
  }
}

interface WeekDays {
  /** How much of a week's work is finished on each of its days; nothing where no one works. */
  chances: readonly number[]
  /** All of them together; 1 if everyone works on all days. */
  open: number
}

/** The days of the week that begins `first` days after the record. All runs have the same, so each is found once. */
function prepareDays({ days, lastDay, isOff }: FinishRecord): (first: number) => WeekDays {
  const weekdays = learnWeekdays(days)
  if (isOff === null) {
    const always = { chances: weekdays, open: 1 }
    return () => always
  }
  const known = new Map<number, WeekDays>()
  return (first) => {
    const before = known.get(first)
    if (before) return before
    const chances = weekdays.map((chance, i) => (isOff(lastDay + first + i) ? 0 : chance))
    const found = { chances, open: chances.reduce((sum, chance) => sum + chance, 0) }
    known.set(first, found)
    return found
  }
}

/** The smallest outcome that at least `percent` percent of the runs do not exceed. */
export function findPercentile(sorted: Float64Array, percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!
}
