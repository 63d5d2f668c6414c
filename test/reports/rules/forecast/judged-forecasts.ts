import { readFileSync } from 'node:fs'
import { runAtOnce } from '../../../../src/kernel'
import { createRandom } from '../../../../src/kernel/random'
import { learnFromRecord, measurePinballLoss } from '../../../../src/reports/rules/forecast/backtest'
import { buildRecord, toDayNumber } from '../../../../src/reports/rules/forecast/record'
import { findPercentile, simulate } from '../../../../src/reports/rules/forecast/simulate'

/** How many items were finished on each day, from a Monday on, in whole weeks. */
export type Days = number[]

/** The days on which each amount will be finished, counted from the end of the record: one a run, in ascending order. */
export type Method = (past: Days, amounts: readonly number[], seed: number) => Float64Array[]

type Shares = [p50: number, p70: number, p85: number, p95: number]

export interface Judgement {
  forecasts: number
  /** Of 100 that were finished in the record: by the day of 50, 70, 85 and 95 %. */
  right: Shares
  /** Of 100 whose day has passed in the record: finished by it. At the end of a record, this counts work that is late too. */
  due: Shares
  /** Mean pinball loss, in days. */
  loss: number
}

const AMOUNTS = [10, 20, 40, 80]
const FIRST_WEEK = 26
const PERCENTS = [50, 70, 85, 95] as const

/** Forecasts the next 10, 20, 40 and 80 items every second week from week 26 on, each from what was known then. */
export function judge(days: Days, method: Method): Judgement {
  const done = [0]
  for (const count of days) done.push(done.at(-1)! + count)
  const [right, due, passed] = [PERCENTS.map(() => 0), PERCENTS.map(() => 0), PERCENTS.map(() => 0)]
  let [forecasts, loss] = [0, 0]
  for (let week = FIRST_WEEK; week * 7 < days.length; week += 2) {
    const now = week * 7
    const outcomes = method(days.slice(0, now), AMOUNTS, week)
    for (const [i, amount] of AMOUNTS.entries()) {
      const reached = done.findIndex((sum) => sum >= done[now]! + amount)
      const actual = reached < 0 ? Number.POSITIVE_INFINITY : reached - now
      const dayOf = (percent: number) => findPercentile(outcomes[i]!, percent)
      PERCENTS.forEach((percent, at) => {
        const isRight = actual <= dayOf(percent) ? 1 : 0
        right[at]! += isRight
        if (now + dayOf(percent) > days.length) return
        due[at]! += isRight
        passed[at]!++
      })
      if (reached < 0) continue
      loss += measurePinballLoss(actual, dayOf)
      forecasts++
    }
  }
  return {
    forecasts,
    right: right.map((count) => (100 * count) / forecasts) as Shares,
    due: due.map((count, at) => (100 * count) / passed[at]!) as Shares,
    loss: loss / forecasts,
  }
}

/** What the product forecasts. */
export const ours: Method = (past, amounts, seed) => {
  const finished = past.flatMap((count, day) => Array.from({ length: count }, () => ({ day, size: 1 })))
  const record = buildRecord(finished, { lastDay: past.length - 1 })
  const { belief, correction, spread } = runAtOnce(learnFromRecord(record, 1))
  return runAtOnce(simulate(record, belief, { amounts, correction, spread, seed })).days
}

const RUNS = 1_000
const LONGEST = 3_650

/** What tools usually do: each coming week is one of the last twelve, drawn at random. */
export const singleWeeks: Method = (past, amounts, seed) => {
  const random = createRandom(seed)
  const weeks = Math.min(12, past.length / 7)
  const outcomes = amounts.map(() => new Float64Array(RUNS).fill(LONGEST))
  for (let run = 0; run < RUNS; run++) {
    let [done, reached] = [0, 0]
    for (let day = 0; day < LONGEST && reached < amounts.length; ) {
      const from = past.length - (1 + Math.floor(random() * weeks)) * 7
      for (let i = 0; i < 7; i++) {
        day++
        done += past[from + i]!
        while (reached < amounts.length && done >= amounts[reached]!) outcomes[reached++]![run] = day
      }
    }
  }
  return outcomes.map((days) => days.sort())
}

/** The recorded team, from 2013 on; before, it finished five items in eight months. */
export function readTeamA(): Days {
  const [, ...dates] = readFileSync('test/reports/rules/forecast/team-a.csv', 'utf8').trim().split('\n')
  return toDays(dates.filter((date) => date >= '2013').map(toDayNumber))
}

/** From the Monday of the first day, in whole weeks. */
export function toDays(finished: readonly number[]): Days {
  const first = Math.min(...finished)
  const monday = first - ((first + 3) % 7)
  const days = new Array<number>(Math.ceil((Math.max(...finished) - monday + 1) / 7) * 7).fill(0)
  for (const day of finished) days[day - monday]!++
  return days
}
