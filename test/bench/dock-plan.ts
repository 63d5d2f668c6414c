import { planDay } from '../../src/docks/planning/solver/plan-day'
import { createRandomDay } from '../docks/planning/random-days'
import { median, printFigure } from './figures'

const DAYS = 60
const LIMIT_MS = 2_000

/**
 * Plans of days at 20 doors with 150 appointments, booked to 70 to 90 %, at which trucks are late or stay too long and a door fails: the total weighted
 * delay against the bound of the solver.
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
    if (cost.unplaced <= least!.unplaced) asFew++
    // Without a bound of the delay, how good the plan is cannot be shown.
    ratios.push(cost.delay === least!.main ? 1 : cost.delay / least!.main)
  }
  const within = ratios.filter((ratio) => ratio <= 1.1).length
  printFigure({
    name: `${DAYS} ${kind}: delay at most 1.1 times the bound`,
    value: within / DAYS,
    unit: '',
    atLeast: 1,
  })
  printFigure({ name: '  weighted delay ÷ bound of the solver, median', value: median(ratios), atMost: 1.1 })
  printFigure({
    name: '  no useful bound of the delay',
    value: ratios.filter((ratio) => ratio === Infinity).length,
    unit: 'days',
  })
  printFigure({ name: '  as few without a place as the bound', value: asFew / DAYS, unit: '' })
  printFigure({ name: '  first plan, median', value: median(firstMs), unit: 'ms' })
  printFigure({ name: '  plan with its bound, longest', value: Math.max(...totalMs), unit: 'ms', atMost: 2_200 })
}
