import { planDay } from '../../src/docks/planning/solver/plan-day'
import { createRandomDay } from '../docks/planning/random-days'
import { median, printFigure } from './figures'

const DAYS = 60
const LIMIT_MS = 2_000

/**
 * Plans of days at 20 doors with 150 appointments, booked to 70 to 90 %, at which trucks are late or stay too long and a door fails: the total weighted
 * delay against the bound of the solver, where as few as possible have no place.
 */
export async function dayPlans(): Promise<void> {
  await planDays('days', {})
  await planDays('days with late trucks alone', { isOnlyLate: true })
}

async function planDays(kind: string, options: { isOnlyLate?: boolean }): Promise<void> {
  const ratios: number[] = []
  const firstMs: number[] = []
  const totalMs: number[] = []
  let asFew = 0
  for (let day = 1; day <= DAYS; day++) {
    const problem = createRandomDay(day, { ...options, load: 0.7 + (0.2 * day) / DAYS })
    const startedAt = performance.now()
    await planDay(problem, { objective: 'on-time', timeLimitMs: 0 })
    const answeredAt = performance.now()
    const { cost, least } = await planDay(problem, { objective: 'on-time', timeLimitMs: LIMIT_MS })
    firstMs.push(answeredAt - startedAt)
    totalMs.push(performance.now() - answeredAt)
    if (cost.unplaced > least!.unplaced) continue
    asFew++
    ratios.push(least!.main === 0 ? (cost.delay === 0 ? 1 : Number.POSITIVE_INFINITY) : cost.delay / least!.main)
  }
  ratios.sort((a, b) => a - b)
  const at = (share: number) => ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * share))]!
  printFigure({
    name: `plans of ${DAYS} ${kind} that leave as few without a place as possible`,
    value: asFew / DAYS,
    unit: '',
  })
  printFigure({ name: `  ${kind}: weighted delay ÷ bound of the solver, median`, value: median(ratios), atMost: 1.1 })
  printFigure({ name: `  ${kind}: of nine tenths, at most`, value: at(0.9), atMost: 1.1 })
  printFigure({ name: `  ${kind}: at most`, value: at(1) })
  printFigure({ name: `  ${kind}: first plan, median`, value: median(firstMs), unit: 'ms' })
  printFigure({
    name: `  ${kind}: plan with its bound, longest`,
    value: Math.max(...totalMs),
    unit: 'ms',
    atMost: 2_200,
  })
}
