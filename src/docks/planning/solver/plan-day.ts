import { assignDoors } from '../rules/assign-doors'
import { findPlanFaults } from '../rules/check-plan'
import {
  type DayPlan,
  type DayProblem,
  type PlanCost,
  type PlanObjective,
  type PlanStart,
  rankedCosts,
} from '../rules/day-problem'
import { PlanSearch } from '../rules/search-plan'
import { boundProgram } from './bound-program'
import { type IntegerProgram, listDoors, relaxDay, relaxToGroups } from './relax-day'

export interface PlannedDay {
  plan: DayPlan
  cost: PlanCost
  /** No plan leaves fewer appointments without a place, or costs less of what the objective keeps low and leaves as few. Null: not known. */
  least: { unplaced: number; main: number } | null
}

export interface PlanOptions {
  objective: PlanObjective
  /** How long it may take; null until it is certain or all steps are done. Who waits for an answer at once gives 0: then it only searches. */
  timeLimitMs: number
}

/** The first answer takes so many steps of the search, and no more follow than `ALL_STEPS`. */
const FIRST_STEPS = 1_500
const ALL_STEPS = 40_000
const STEPS_AT_ONCE = 500
/** To find places for all that can have one, before the rest is made as good as possible. */
const STEPS_TO_PLACE = 16_000
/** When it is certain that the plan is the best by its objective. */
const LAST_STEPS = 6_000
/** The solver gets this share of the time that is left, so that the search can use what it finds. */
const SOLVER_SHARE = 0.5
/** The search for places leaves this share of the time to the rest. */
const REST_SHARE = 0.3
/** And the search after it leaves this share to a last bound. */
const LAST_SHARE = 0.05
/** Where no plan is known yet, the solver looks for one that costs at most so much more than the bound. */
const LIKELY_SHARE = 1.15

/**
 * Plans a day: first by a search, whose plan is then compared with the least that is possible. What cannot be in a better plan is left out of what
 * an exact solver gets; where it finds a better one, the search goes on from there. Takes the thread on which it runs.
 */
export async function planDay(problem: DayProblem, { objective, timeLimitMs }: PlanOptions): Promise<PlannedDay> {
  const endsAt = performance.now() + timeLimitMs
  const leftMs = () => endsAt - performance.now()
  const search = new PlanSearch(problem, objective)
  search.run(FIRST_STEPS, FIRST_STEPS)
  const answer = (least: PlannedDay['least']): PlannedDay => {
    const [fault] = findPlanFaults(problem, search.best.plan)
    if (fault !== undefined) throw new Error(`The plan breaks a rule: ${fault}.`)
    return { ...search.best, least }
  }
  if (timeLimitMs <= 0) return answer(null)
  const key = rankedCosts[objective][1]!
  let done = FIRST_STEPS
  /** Searches until the plan is as good as possible, or so many steps are done, or only so much of the time is left. */
  const improve = (isLeast: (cost: PlanCost) => boolean, steps: number, untilMs = 0) => {
    const end = done + steps
    for (; done < end && leftMs() > untilMs && !isLeast(search.best.cost); done += STEPS_AT_ONCE)
      search.run(STEPS_AT_ONCE, ALL_STEPS)
  }
  const { solveProgram } = await import('./solve-program')
  /**
   * The least of the objective, as far as it is known, of the plans that leave at most so many appointments without a place. `found` is what such a
   * plan costs; null if none is known. The search goes on from what the solver finds.
   */
  const solve = async (mostUnplaced: number, found: number | null): Promise<number> => {
    const options = { goal: objective, mostUnplaced }
    const program = relaxDay(problem, options)
    const bound = boundProgram(program, found ?? search.best.cost[key] * LIKELY_SHARE)
    if (found !== null && bound.least >= found) return found
    const most = found ?? bound.least * LIKELY_SHARE + 1
    const likely = program.choices.filter((_, column) => bound.leastWith[column]! < most)
    const narrow = relaxToGroups(problem, options, likely)
    const solution = await solveProgram(narrow, leftMs() * SOLVER_SHARE)
    if (solution?.values) search.goOnFrom(assignDoors(problem, listStarts(problem, narrow, solution.values)))
    return Math.min(most, Math.max(bound.least, solution?.least ?? 0))
  }
  const first = search.best.cost.unplaced
  const goal = { goal: 'unplaced', mostUnplaced: first } as const
  const unplaced = first === 0 ? 0 : boundProgram(relaxDay(problem, goal), first).least
  const hasPlaced = (cost: PlanCost) => cost.unplaced <= unplaced
  improve(hasPlaced, STEPS_AT_ONCE)
  if (!hasPlaced(search.best.cost)) {
    await solve(unplaced, null)
    improve(hasPlaced, STEPS_TO_PLACE, timeLimitMs * REST_SHARE)
  }
  let main = 0
  // Again where the search has found places for more, because a plan that leaves fewer may cost more.
  for (let left = first + 1; search.best.cost.unplaced < left; ) {
    left = search.best.cost.unplaced
    main = await solve(left, search.best.cost[key])
    improve((cost) => hasPlaced(cost) && cost[key] <= main, ALL_STEPS, timeLimitMs * LAST_SHARE)
  }
  // What counts after it, such as fewer moves.
  improve(() => false, LAST_STEPS)
  return answer({ unplaced, main })
}

/** What the solution chose for each task; null if it stays where it is booked. */
function listStarts({ tasks }: DayProblem, { choices }: IntegerProgram, values: ArrayLike<number>) {
  const starts: (PlanStart | null)[] = tasks.map(() => null)
  for (const [column, { task, start, doors }] of choices.entries())
    if (values[column]! > 0.5) starts[task] = { start, doors: listDoors(doors) }
  return starts
}
