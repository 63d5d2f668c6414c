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
import { countEntries, type IntegerProgram, listDoors, relaxDay, relaxToGroups } from './relax-day'

export interface PlannedDay {
  plan: DayPlan
  cost: PlanCost
  /** No plan leaves fewer appointments without a place, or costs less of what the objective keeps low and leaves as few. Null: not known. */
  least: { unplaced: number; main: number } | null
}

export interface PlanOptions {
  objective: PlanObjective
  /** How long it may take. It ends before if the plan is certainly the best. Callers that need an answer at once give 0: then it only searches. */
  timeLimitMs: number
}

/** The first answer takes so many steps of the search. */
const FIRST_STEPS = 1_500
/** So many follow at most where it is not certain that the plan is the best. */
const ALL_STEPS = 40_000
const STEPS_AT_ONCE = 500
/** To find places for those for which the solver found none. */
const STEPS_TO_PLACE = 3_000
/** When it is certain that the plan is the best by its objective. */
const LAST_STEPS = 6_000
/** The solver gets this share of the time that is left, so that the search can use what it finds. */
const SOLVER_SHARE = 0.5
/** It does not begin when only this share of all the time is left. */
const SOLVER_END = 0.1
/** Fewer appointments without a place are looked for until this share of the time is left. */
const REST_SHARE = 0.4
/** The solver looks for a plan that costs at most so many times the bound, and if there is none, for a worse one. */
const LIKELY_SHARES = [1.03, 1.15, 1.5]
/** And at most so much more where the bound is small. */
const MIN_STEP = 3
/** More entries of a program take too long to build. */
const MAX_ENTRIES = 600_000
/** A plan that costs at most so many times the bound needs no more exact one. */
const GOOD = 1.01

/**
 * Plans a day: first by a search, whose plan is then compared with the least that is possible. What cannot be in a better plan is left out of what
 * an exact solver gets; where it finds a better one, the search goes on from there. Takes the thread on which it runs.
 */
export async function planDay(problem: DayProblem, { objective, timeLimitMs }: PlanOptions): Promise<PlannedDay> {
  const planner = new DayPlanner(problem, objective, timeLimitMs)
  const least = timeLimitMs <= 0 ? null : await planner.improveToLeast()
  const [fault] = findPlanFaults(problem, planner.best.plan)
  if (fault !== undefined) throw new Error(`The plan breaks a rule: ${fault}.`)
  return { ...planner.best, least }
}

class DayPlanner {
  readonly #startedAt = performance.now()
  readonly #search: PlanSearch
  /** What the objective keeps low first. */
  readonly #main: keyof PlanCost
  #steps = FIRST_STEPS

  /** Finds a plan at once. */
  constructor(
    private readonly problem: DayProblem,
    private readonly objective: PlanObjective,
    private readonly timeLimitMs: number,
  ) {
    this.#main = rankedCosts[objective][1]!
    this.#search = new PlanSearch(problem, objective)
    this.#search.run(FIRST_STEPS, FIRST_STEPS)
  }

  get best() {
    return this.#search.best
  }

  /** Null if the day is too large to say how good a plan can be. */
  async improveToLeast(): Promise<{ unplaced: number; main: number } | null> {
    if (countEntries(this.problem) > MAX_ENTRIES) {
      this.#improve(() => false, ALL_STEPS)
      return null
    }
    const unplaced = this.#boundUnplaced()
    const leasts = new Map<number, number>()
    // As few without a place as the bound allows, or else one more, because not all that it allows is possible.
    for (let most = unplaced; most < this.best.cost.unplaced && this.#leftMs(REST_SHARE) > 0; most++) {
      leasts.set(most, await this.#solve(most))
      this.#improve((cost) => cost.unplaced <= most, STEPS_TO_PLACE)
    }
    let main: number
    let left: number
    const isLeast = (cost: PlanCost) => cost.unplaced <= unplaced && cost[this.#main] <= main
    // Again where the search has found places for more, because a plan that leaves fewer may cost more.
    do {
      left = this.best.cost.unplaced
      main = leasts.get(left) ?? (await this.#solve(left))
      this.#improve(isLeast, ALL_STEPS)
    } while (this.best.cost.unplaced < left)
    // What counts after it, such as fewer moves.
    if (isLeast(this.best.cost)) this.#improve(() => false, LAST_STEPS)
    return { unplaced, main }
  }

  #boundUnplaced(): number {
    const mostUnplaced = this.best.cost.unplaced
    if (mostUnplaced === 0) return 0
    const program = relaxDay(this.problem, { goal: 'unplaced', mostUnplaced })
    return boundProgram(program, mostUnplaced, () => this.#leftMs(REST_SHARE) > 0).least
  }

  /**
   * The least of the objective, as far as it is known, of the plans that leave at most so many appointments without a place. The search goes on from
   * what the solver finds.
   */
  async #solve(mostUnplaced: number): Promise<number> {
    const { problem } = this
    const { unplaced, [this.#main]: cost } = this.best.cost
    const found = unplaced <= mostUnplaced ? cost : Number.POSITIVE_INFINITY
    const options = { goal: this.objective, mostUnplaced }
    const program = relaxDay(problem, options)
    const bound = boundProgram(program, found, () => this.#leftMs() > 0)
    let { least } = bound
    /** The doors of those that stay where they are booked: beside them, the other doors are not alike. */
    const apart = new Set<number>()
    let isRelaxed = false
    const { solveProgram } = await import('./solve-program')
    for (const share of LIKELY_SHARES) {
      if (least >= found) return found
      const most = Math.min(found, Math.ceil(least * share) + MIN_STEP)
      const likely = program.choices.filter((_, column) => bound.leastWith[column]! < most)
      // The first takes a tenth of the time of the second, which knows more of the doors.
      for (const isExact of isRelaxed ? [true] : [false, true]) {
        if (this.#leftMs(SOLVER_END) <= 0) return least
        const narrow = isExact ? relaxToGroups(problem, options, likely, apart) : relaxDay(problem, options, likely)
        const solution = await solveProgram(narrow, this.#leftMs() * SOLVER_SHARE)
        // A plan that costs less than `most` is a solution of it.
        least = Math.max(least, Math.min(most, solution?.least ?? 0))
        if (solution?.values) {
          isRelaxed = true
          const starts = listStarts(problem, narrow, solution.values)
          for (const [task, start] of starts.entries()) if (start === null) apart.add(problem.tasks[task]!.home.door)
          this.#search.goOnFrom(assignDoors(problem, starts))
        }
        if (this.best.cost.unplaced <= mostUnplaced && this.best.cost[this.#main] <= least * GOOD) return least
        if (solution?.least === Number.POSITIVE_INFINITY) break
      }
      if (least < most) return least
    }
    return least
  }

  /** Searches until the plan is as good as possible, or so many steps are done. */
  #improve(isLeast: (cost: PlanCost) => boolean, steps: number): void {
    const end = this.#steps + steps
    for (; this.#steps < end && this.#leftMs() > 0 && !isLeast(this.best.cost); this.#steps += STEPS_AT_ONCE)
      this.#search.run(STEPS_AT_ONCE, ALL_STEPS)
  }

  /** How long it may still take, if a share of all the time is reserved. */
  #leftMs(kept = 0): number {
    return this.#startedAt + this.timeLimitMs * (1 - kept) - performance.now()
  }
}

/** What the solution chose for each task; null if it stays where it is booked. */
function listStarts({ tasks }: DayProblem, { choices }: IntegerProgram, values: ArrayLike<number>) {
  const starts: (PlanStart | null)[] = tasks.map(() => null)
  for (const [column, { task, start, doors }] of choices.entries())
    if (values[column]! > 0.5) starts[task] = { start, doors: listDoors(doors) }
  return starts
}
