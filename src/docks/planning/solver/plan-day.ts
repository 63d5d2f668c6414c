import { assignDoors } from '../rules/assign-doors'
import { findPlanFaults } from '../rules/check-plan'
import { type DayPlan, type DayProblem, type PlanCost, type PlanObjective, rankedCosts } from '../rules/day-problem'
import { PlanSearch } from '../rules/search-plan'
import { type Goal, relaxDay } from './relax-day'

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
/** Between the two programs of the solver. */
const STEPS_TO_PLACE = 16_000
/** When it is certain that the plan is the best by its objective. */
const LAST_STEPS = 6_000
/** The solver gets this share of the time that is left, so that the search can use what it finds. */
const SOLVER_SHARE = 0.5

/**
 * Plans a day: first by a search, whose plan a solver then compares with the least that is possible. Where the solver finds better starts, the
 * search goes on from them. Takes the thread on which it runs.
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
  const solver = await import('./solve-program')
  /** The least of the goal, as far as the solver knows. The search goes on from its solution if that is better. */
  const solve = async (goal: Goal, mostUnplaced = search.best.cost.unplaced): Promise<number> => {
    const program = relaxDay(problem, goal, search.best.cost, mostUnplaced)
    const solution = await solver.solveProgram(program, leftMs() * SOLVER_SHARE)
    if (!solution?.values) return solution?.least ?? 0
    const starts: (number | null)[] = problem.tasks.map(() => null)
    for (const [column, choice] of program.meanings.entries())
      if (choice && solution.values[column]! > 0.5) starts[choice.task] = choice.start
    search.tryPlan(assignDoors(problem, starts))
    return solution.least
  }
  const key = rankedCosts[objective][1]!
  let done = FIRST_STEPS
  /** Searches until the plan is as good as possible, or so many steps are done, or the time is over. */
  const improve = (isLeast: (cost: PlanCost) => boolean, steps: number) => {
    for (const end = done + steps; done < end && leftMs() > 0 && !isLeast(search.best.cost); done += STEPS_AT_ONCE)
      search.run(STEPS_AT_ONCE, ALL_STEPS)
  }
  const unplaced = search.best.cost.unplaced === 0 ? 0 : await solve('unplaced')
  improve((cost) => cost.unplaced <= unplaced, STEPS_TO_PLACE)
  let main = await solve(objective, unplaced)
  const isLeast = (cost: PlanCost) => cost.unplaced <= unplaced && cost[key] <= main
  improve(isLeast, ALL_STEPS)
  // A plan that leaves more than that is compared with those that leave as many.
  if (search.best.cost.unplaced > unplaced) {
    main = await solve(objective)
    improve(isLeast, ALL_STEPS)
  }
  // What counts after it, such as fewer moves.
  improve(() => false, LAST_STEPS)
  return answer({ unplaced, main })
}
