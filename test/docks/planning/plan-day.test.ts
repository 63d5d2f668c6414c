import { describe, expect, it } from 'vitest'
import { findPlanFaults } from '../../../src/docks/planning/rules/check-plan'
import {
  compareCosts,
  costPlan,
  type DayPlan,
  type DayProblem,
  isHome,
  type PlanCost,
  type PlanPlace,
  planObjectives,
  rankedCosts,
} from '../../../src/docks/planning/rules/day-problem'
import { PlanSearch } from '../../../src/docks/planning/rules/search-plan'
import { boundProgram } from '../../../src/docks/planning/solver/bound-program'
import { planDay } from '../../../src/docks/planning/solver/plan-day'
import { type RelaxationOptions, relaxDay } from '../../../src/docks/planning/solver/relax-day'
import { createRandom } from '../../../src/kernel/random'
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/time'
import { createRandomDay } from './random-days'

describe('a plan of the day', () => {
  it.each(planObjectives)(
    'is the best of all plans of small days, and its bound is never above it: %s',
    async (objective) => {
      const [first, main] = rankedCosts[objective] as [keyof PlanCost, keyof PlanCost]
      const worse: number[] = []
      let planned = 0
      for (let seed = 1; seed <= 40; seed++) {
        const problem = createSmallDay(seed)
        const { cost: best, plan: bestPlan } = findBest(problem, objective)
        const { plan, cost, least } = await planDay(problem, { objective, timeLimitMs: Number.POSITIVE_INFINITY })
        expect(findPlanFaults(problem, plan)).toEqual([])
        expect(cost).toEqual(costPlan(problem, plan))
        expect(least!.unplaced).toBeLessThanOrEqual(best.unplaced)
        expect(least!.main).toBeLessThanOrEqual(best[main])
        expectBelow(problem, { goal: objective, mostUnplaced: best.unplaced }, { plan: bestPlan, main: best[main] })
        if (cost[first] !== best[first] || cost[main] !== best[main]) worse.push(seed)
        if (best.moves > 0) planned++
      }
      // The delay is what the solver bounds best. Of the others, a search may miss one.
      expect(worse.length).toBeLessThanOrEqual(objective === 'on-time' ? 0 : 1)
      expect(planned).toBeGreaterThan(20)
    },
  )

  it('keeps every rule on large days, also without the solver', async () => {
    for (const [seed, size] of [
      [1, { load: 0.7 }],
      [2, { load: 0.9 }],
      [3, { doorCount: 40, appointments: 400, load: 0.8 }],
    ] as const) {
      const problem = createRandomDay(seed, size)
      const before = new PlanSearch(problem, 'on-time').best
      const { plan, cost } = await planDay(problem, { objective: 'on-time', timeLimitMs: 0 })
      expect(findPlanFaults(problem, plan)).toEqual([])
      expect(cost.unplaced).toBeLessThanOrEqual(before.cost.unplaced)
    }
  })

  it('is the same for the same day', async () => {
    const problem = createRandomDay(5)
    const plan = () => planDay(problem, { objective: 'on-time', timeLimitMs: 0 })
    expect(await plan()).toEqual(await plan())
  })

  it('changes nothing where nothing is wrong', async () => {
    const problem: DayProblem = { doorCount: 2, bufferMs: 0, fixed: [], limits: [], tasks: [task(8, 0), task(8, 1)] }
    const { plan, cost } = await planDay(problem, { objective: 'on-time', timeLimitMs: 10_000 })
    expect(cost).toEqual({ unplaced: 0, delay: 0, moves: 0, doors: 2 })
    expect(plan).toEqual(problem.tasks.map(({ home }) => home))
  })

  it('leaves an appointment where it is booked if there is no place for it, and lets no other go there', async () => {
    // The truck comes after closing time; the other door is taken by a truck that stays.
    const problem: DayProblem = {
      ...{ doorCount: 2, bufferMs: 0, limits: [] },
      fixed: [{ door: 1, from: 8 * HOUR_MS, to: 12 * HOUR_MS }],
      tasks: [{ ...task(8, 0), places: [] }, task(8, 1)],
    }
    const { plan, cost } = await planDay(problem, { objective: 'on-time', timeLimitMs: 10_000 })
    expect(plan).toEqual([null, { start: 9 * HOUR_MS, door: 0 }])
    expect(cost).toMatchObject({ unplaced: 1, delay: 60 })
  })

  it('counts two that are left at one door, where a buffer was raised, as one door', async () => {
    const left = { ...task(8, 0), places: [] }
    const problem: DayProblem = {
      ...{ doorCount: 2, bufferMs: 10 * MINUTE_MS, fixed: [], limits: [] },
      tasks: [left, { ...left, home: task(9, 0).home }, { ...task(9, 0), places: [place(9, [0, 1])] }],
    }
    const { plan, least } = await planDay(problem, { objective: 'on-time', timeLimitMs: 10_000 })
    expect(plan).toEqual([null, null, { start: 9 * HOUR_MS, door: 1 }])
    expect(least).toEqual({ unplaced: 2, main: 0 })
  })

  it('makes no more of an excess that is booked already, and needs no move for it', async () => {
    const limits = [{ max: 1, isForOwnTime: false, periods: null, taskAmounts: [1, 1, 1], fixedAmounts: [] }]
    const problem: DayProblem = {
      ...{ doorCount: 3, bufferMs: 0, fixed: [], limits },
      tasks: [task(8, 0), task(8, 1), { ...task(10, 2), places: [9, 10, 11].map((hour) => place(hour, [0, 1])) }],
    }
    const { plan } = await planDay(problem, { objective: 'on-time', timeLimitMs: 10_000 })
    expect(plan.map((one) => one?.start)).toEqual([8, 8, 10].map((hour) => hour * HOUR_MS))
  })

  it('makes none of an excess after the time for which it is booked', () => {
    const limits = [{ max: 1, isForOwnTime: false, periods: null, taskAmounts: [2], fixedAmounts: [] }]
    const longer = { ...task(8, 0), places: [place(8, [0, 1]), place(8.5, [0, 1])] }
    const problem: DayProblem = { doorCount: 2, bufferMs: 0, fixed: [], limits, tasks: [longer] }
    expect(findPlanFaults(problem, [{ start: 8 * HOUR_MS, door: 1 }])).toEqual([])
    expect(findPlanFaults(problem, [{ start: 8.5 * HOUR_MS, door: 1 }])).toHaveLength(1)
  })
})

const place = (hour: number, doors: readonly number[]) => ({ start: hour * HOUR_MS, doors })

/** An hour at a door, or at any later hour. */
function task(hour: number, door: number, lengthMs = HOUR_MS): DayProblem['tasks'][number] {
  return {
    home: { start: hour * HOUR_MS, door },
    ...{ lengthMs, weight: 1 },
    places: [8, 9, 10, 11].filter((start) => start >= hour).map((start) => place(start, [0, 1])),
  }
}

/** Three doors, at most five appointments on a coarse grid: all plans can be tried. */
function createSmallDay(seed: number): DayProblem {
  const random = createRandom(seed)
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const bufferMs = int(0, 1) * 10 * MINUTE_MS
  const tasks: DayProblem['tasks'][number][] = []
  for (let tries = 0; tasks.length < 5 && tries < 30; tries++) {
    const home = { start: int(0, 5) * 30 * MINUTE_MS, door: int(0, 2) }
    const lengthMs = int(1, 3) * 30 * MINUTE_MS - bufferMs
    // A buffer that was raised after they were booked.
    const isTooClose = random() < 0.1
    const isFree =
      isTooClose ||
      tasks.every(
        (other) =>
          other.home.door !== home.door ||
          other.home.start >= home.start + lengthMs + bufferMs ||
          home.start >= other.home.start + other.lengthMs + bufferMs,
      )
    if (!isFree) continue
    const earliest = home.start + (random() < 0.3 ? int(1, 3) * 30 * MINUTE_MS : 0)
    const doors = [0, 1, 2].filter((door) => door === home.door || random() < 0.6)
    const places = []
    for (let start = earliest; start + lengthMs <= 4 * HOUR_MS; start += 30 * MINUTE_MS)
      places.push({ start, doors: random() < 0.9 ? doors : doors.filter((door) => door !== home.door) })
    tasks.push({ home, lengthMs, weight: int(1, 3), places: places.filter((one) => one.doors.length > 0) })
  }
  const fixed = random() < 0.6 ? [{ door: int(0, 2), from: 0, to: int(1, 5) * 30 * MINUTE_MS }] : []
  const amounts = { taskAmounts: tasks.map(() => int(0, 2)), fixedAmounts: fixed.map(() => 1) }
  const periods =
    random() < 0.5 ? null : [0, 1, 2, 3].map((hour) => ({ from: hour * HOUR_MS, to: (hour + 1) * HOUR_MS }))
  return {
    doorCount: 3,
    bufferMs,
    tasks,
    fixed,
    limits: random() < 0.5 ? [{ max: int(1, 4), isForOwnTime: periods === null, periods, ...amounts }] : [],
  }
}

/** What prices say of a program is true of the best plan: no more than it costs, also with each of its choices. */
function expectBelow(
  problem: DayProblem,
  options: RelaxationOptions,
  { plan, main }: { plan: DayPlan; main: number },
): void {
  const program = relaxDay(problem, options)
  for (const aim of [main, 2 * main + 10]) {
    const { least, leastWith } = boundProgram(program, aim)
    expect(least).toBeLessThanOrEqual(main)
    for (const [column, { task, start, doors, cost }] of program.choices.entries()) {
      const place = plan[task]
      if (options.goal === 'few-moves' && cost === 1 && place && isHome(problem.tasks[task]!, place)) continue
      const isChosen = place?.start === start && (doors >> BigInt(place.door)) % 2n === 1n
      if (isChosen) expect(leastWith[column]).toBeLessThanOrEqual(main)
    }
  }
}

/** Tries every plan. */
function findBest(problem: DayProblem, objective: (typeof planObjectives)[number]) {
  const options = problem.tasks.map(({ places }): (PlanPlace | null)[] => [
    ...places.flatMap(({ start, doors }) => doors.map((door) => ({ start, door }))),
    null,
  ])
  let best: { plan: DayPlan; cost: PlanCost } | null = null
  const tryAll = (plan: (PlanPlace | null)[]) => {
    if (plan.length === problem.tasks.length) {
      const cost = costPlan(problem, plan)
      if (best !== null && compareCosts(objective, cost, best.cost) >= 0) return
      if (findPlanFaults(problem, plan).length === 0) best = { plan, cost }
      return
    }
    for (const option of options[plan.length]!) tryAll([...plan, option])
  }
  tryAll([])
  return best!
}
