import { createRandom, type Random } from '../../../kernel/random'
import { countDemand } from './assign-doors'
import { costPlan, type DayPlan, type DayProblem, delayOf, type PlanCost, type PlanObjective } from './day-problem'
import { PlanState } from './plan-state'
import { sortByStart, TaskChoice } from './task-choice'

export interface FoundPlan {
  plan: DayPlan
  cost: PlanCost
}

/** A worse plan is accepted up to this share of the cost, less and less. */
const WORSE_SHARE = 0.02
/** What a task outside of the plan costs, compared with one that is left where it is booked: no step takes one out. */
const OUTSIDE_PRICE = 1_000
/** The search goes back to the best plan if tasks are still outside after so many steps. */
const MAX_STEPS_OUTSIDE = 6_000
/** In which share of the steps one is left without a place, if there are any; and while some are outside of the plan. */
const LEAVE_SHARE = 0.1
const LEAVE_OUTSIDE_SHARE = 0.5

/**
 * Searches a plan of the day: large neighborhood search (Shaw 1998). It begins with all tasks where they are booked; again and again some
 * that are near each other leave their places and get the cheapest free ones, one after the other. The same problem and the same number of
 * steps give the same plan.
 */
export class PlanSearch {
  readonly #state: PlanState
  readonly #random: Random
  readonly #weights: readonly number[]
  /** The delay of each task at each of its starts. */
  readonly #delays: readonly Float64Array[]
  /** The tasks by the time for which they are booked. */
  readonly #byStart: readonly number[]
  readonly #choice: TaskChoice
  /** Which share of the tasks can have each door: one that few can have is given first. */
  readonly #demand: readonly number[]
  /** How many tasks are outside of the plan. */
  #outside = 0
  #stepsOutside = 0
  #cost: number
  #best: FoundPlan & { ranked: number }
  #step = 0

  constructor(
    private readonly problem: DayProblem,
    objective: PlanObjective,
  ) {
    this.#state = new PlanState(problem)
    this.#random = createRandom(1)
    this.#weights = weighCosts(problem, objective)
    this.#delays = problem.tasks.map((task) => Float64Array.from(task.places, ({ start }) => delayOf(task, start)))
    this.#byStart = sortByStart(problem)
    this.#choice = new TaskChoice(problem, this.#state, this.#random)
    this.#demand = countDemand(problem.tasks, problem.doorCount).map((count) => count / problem.tasks.length)
    this.#placeAtHome()
    this.#cost = this.#rank(this.#costNow())
    this.#best = this.#outside === 0 ? this.#remember() : this.#rememberNone()
  }

  get best(): FoundPlan {
    const { plan, cost } = this.#best
    return { plan, cost }
  }

  /** Does so many steps of the search, of `total` in all. */
  run(steps: number, total: number): void {
    if (this.problem.tasks.length === 0) return
    for (let step = 0; step < steps; step++) {
      this.#step++
      this.#tryStep(WORSE_SHARE * Math.max(0, 1 - this.#step / total))
      this.#stepsOutside = this.#outside === 0 ? 0 : this.#stepsOutside + 1
      if (this.#stepsOutside > MAX_STEPS_OUTSIDE) this.#return()
    }
  }

  /** Goes on from this plan, better or not, with places for those that have none in it as far as there are any. */
  goOnFrom(plan: DayPlan): void {
    const state = this.#state
    for (const task of this.#byStart) state.remove(task)
    const left = this.#byStart.filter((task) => plan[task] === null)
    for (const task of left) state.leave(task)
    for (const [task, place] of plan.entries()) {
      if (place === null) continue
      const start = state.toMinute(place.start)
      // The solver knows less of the limits.
      if (state.isWithinLimits(task, start)) state.place(task, start, place.door)
      else left.push(task)
    }
    for (const task of left) {
      state.remove(task)
      this.#insert(task)
    }
    this.#accept(this.#rank(this.#costNow()))
  }

  #accept(cost: number): void {
    this.#cost = cost
    if (cost < this.#best.ranked && this.#outside === 0) this.#best = this.#remember()
  }

  /** Goes on from the best plan. */
  #return(): void {
    const state = this.#state
    for (const task of this.#byStart) state.remove(task)
    for (const [task, place] of this.#best.plan.entries()) {
      if (place) state.place(task, state.toMinute(place.start), place.door)
      else state.leave(task)
    }
    this.#cost = this.#best.ranked
    this.#outside = 0
    this.#stepsOutside = 0
  }

  /** Those that can stay do; the others get the best place beside them, or none. */
  #placeAtHome(): void {
    const state = this.#state
    for (const task of this.#byStart) {
      const { start, door } = state.homes[task]!
      const isPossible = state.places[task]!.some((place) => place.start === start && place.doors.includes(door))
      if (isPossible && state.isFree(task, start, door)) state.place(task, start, door)
      else state.leave(task)
    }
    for (const task of this.#byStart) {
      if (state.isPlaced(task)) continue
      state.remove(task)
      this.#insert(task)
    }
  }

  #tryStep(worseShare: number): void {
    const state = this.#state
    const removed = this.#choice.chooseNear()
    const outside = this.#outside
    const before = removed
      .filter((task) => state.isThere(task))
      .map((task) => [task, state.starts[task]!, state.doors[task]!] as const)
    for (const task of removed) state.remove(task)
    const order = this.#choice.order(removed)
    // Where one must be without a place, it may be better if it is another one.
    const left = outside > 0 ? removed[0]! : order[0]!
    const share = outside > 0 ? LEAVE_OUTSIDE_SHARE : LEAVE_SHARE
    if (this.#best.cost.unplaced > 0 && this.#random() < share && !state.isHomeTakenByTask(left)) {
      state.leave(left)
      order.splice(order.indexOf(left), 1)
    }
    for (const task of order) this.#insert(task)
    const cost = this.#rank(this.#costNow())
    // What tasks without a place cost is left out, because it is more than all else.
    const slack = (this.#best.ranked - this.#best.cost.unplaced * this.#weights[0]!) * worseShare * this.#random() ** 2
    if (cost <= this.#cost + slack) {
      this.#accept(cost)
      return
    }
    this.#outside = outside
    for (const task of removed) state.remove(task)
    for (const [task, start, door] of before) {
      if (start < 0) state.leave(task)
      else state.place(task, start, door)
    }
  }

  /**
   * Gives the task its cheapest free place. Without one it is left where it is booked. If another is there, it is outside of the plan, which is
   * then none before another step finds something for it.
   */
  #insert(task: number): void {
    const state = this.#state
    const found = this.#findPlace(task)
    if (found) state.place(task, found.start, found.door)
    else if (!state.isHomeTakenByTask(task)) state.leave(task)
  }

  #findPlace(task: number): { start: number; door: number } | null {
    const state = this.#state
    const [, delayWeight, moveWeight, doorWeight] = this.#weights as [number, number, number, number]
    const { start: homeStart, door: homeDoor } = state.homes[task]!
    const delays = this.#delays[task]!
    let best: { start: number; door: number } | null = null
    let least = Number.POSITIVE_INFINITY
    for (const [index, { start, doors }] of state.places[task]!.entries()) {
      const late = delays[index]! * delayWeight + (start === homeStart ? 0 : moveWeight)
      if (late >= least) {
        if (start > homeStart) break
        continue
      }
      let isAllowed: boolean | null = null
      for (const door of doors) {
        const isHome = start === homeStart && door === homeDoor
        const ties = isHome ? 0 : 1e-3 * (1 + this.#demand[door]! + this.#random()) + (start < homeStart ? 0.01 : 0)
        const cost =
          late + (start === homeStart && !isHome ? moveWeight : 0) + (state.used[door]! > 0 ? 0 : doorWeight) + ties
        if (cost >= least || !state.isFree(task, start, door)) continue
        isAllowed ??= state.isWithinLimits(task, start)
        if (!isAllowed) break
        least = cost
        best = { start, door }
      }
    }
    return best
  }

  #costNow(): PlanCost {
    const state = this.#state
    const cost: PlanCost = { unplaced: 0, delay: 0, moves: 0, doors: 0 }
    let outside = 0
    for (const [task, { weight }] of this.problem.tasks.entries()) {
      const { start, door } = state.homes[task]!
      if (!state.isThere(task)) outside++
      else if (!state.isPlaced(task)) cost.unplaced++
      else {
        cost.delay += Math.max(0, state.starts[task]! - start) * weight
        if (state.starts[task] !== start || state.doors[task] !== door) cost.moves++
      }
    }
    for (const count of state.used) if (count > 0) cost.doors++
    this.#outside = outside
    return cost
  }

  #rank({ unplaced, delay, moves, doors }: PlanCost, outside = this.#outside): number {
    const [noPlace, late, moved, used] = this.#weights as [number, number, number, number]
    return (unplaced + OUTSIDE_PRICE * outside) * noPlace + delay * late + moves * moved + doors * used
  }

  /** That all stay where they are booked is always a plan. */
  #rememberNone(): FoundPlan & { ranked: number } {
    const plan = this.problem.tasks.map(() => null)
    const cost = costPlan(this.problem, plan)
    return { plan, cost, ranked: this.#rank(cost, 0) }
  }

  #remember(): FoundPlan & { ranked: number } {
    const plan = this.#state.toPlan()
    return { plan, cost: costPlan(this.problem, plan), ranked: this.#cost }
  }
}

/** What a task without a place, a minute of delay, a move and a used door cost, so that their sum ranks plans as the objective does. */
function weighCosts({ tasks, doorCount }: DayProblem, objective: PlanObjective): number[] {
  const count = tasks.length
  const mostDelay = tasks.reduce((sum, task) => sum + delayOf(task, task.places.at(-1)?.start ?? task.home.start), 1)
  const byObjective: Record<PlanObjective, [number, number, number]> = {
    'on-time': [(count + 1) * (doorCount + 1), doorCount + 1, 1],
    'few-moves': [doorCount + 1, mostDelay * (doorCount + 1), 1],
    'few-doors': [count + 1, 1, mostDelay * (count + 1)],
  }
  const [late, moved, used] = byObjective[objective]
  return [mostDelay * late + count * moved + doorCount * used + 1, late, moved, used]
}
