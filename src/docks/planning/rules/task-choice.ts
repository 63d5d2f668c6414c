import type { Random } from '../../../kernel/random'
import { MINUTE_MS } from '../../../kernel/time'
import type { DayProblem } from './day-problem'
import type { PlanState } from './plan-state'

/** The most tasks that leave their places in a step. */
const MAX_MOVED = 14

/** The tasks by the time for which they are booked. */
export function sortByStart({ tasks }: DayProblem): number[] {
  return [...tasks.keys()].sort((a, b) => tasks[a]!.home.start - tasks[b]!.home.start)
}

/** Chooses which tasks leave their places in a step of the search, and in which order they get new ones. */
export class TaskChoice {
  readonly #byStart: readonly number[]

  constructor(
    private readonly problem: DayProblem,
    private readonly state: PlanState,
    private readonly random: Random,
  ) {
    this.#byStart = sortByStart(problem)
  }

  /** Tasks around one that costs something. */
  chooseNear(): number[] {
    const { state } = this
    const focus = this.#chooseFocus()
    const at = this.#timeOf(focus)
    const from = Math.min(at, state.homes[focus]!.start) - 60 * this.random()
    const to = Math.max(at, state.homes[focus]!.start) + 30 + 120 * this.random()
    const near = this.#byStart.filter(
      (task) => task !== focus && from <= this.#timeOf(task) && this.#timeOf(task) <= to,
    )
    const count = Math.min(near.length, 1 + this.#pick(MAX_MOVED - 1))
    for (let index = 0; index < count; index++) {
      const other = index + this.#pick(near.length - index)
      const task = near[other]!
      near[other] = near[index]!
      near[index] = task
    }
    return [...new Set([focus, ...this.#listAtHomeOf(focus), ...near.slice(0, count)])]
  }

  /** In one of three orders: by chance, by what waiting costs, or by the time that was booked. */
  order(removed: readonly number[]): number[] {
    const kind = this.#pick(3)
    const noise = () => this.random()
    const keyOf = (task: number) => {
      const { weight, places, home } = this.problem.tasks[task]!
      if (kind === 0) return noise()
      if (kind === 1) return -weight * (0.5 + noise()) + 0.001 * places.length
      return home.start / MINUTE_MS + 60 * noise()
    }
    const keys = new Map(removed.map((task) => [task, keyOf(task)]))
    return [...removed].sort((a, b) => keys.get(a)! - keys.get(b)!)
  }

  /** One outside of the plan, or one that costs something, or any. */
  #chooseFocus(): number {
    const { state } = this
    const outside = this.#byStart.filter((task) => !state.isThere(task))
    if (outside.length > 0 && this.random() < 0.8) return outside[this.#pick(outside.length)]!
    let focus = this.#pick(this.#byStart.length)
    for (let tries = 0; tries < 20 && this.random() < 0.95 && !this.#costs(focus); tries++)
      focus = this.#pick(this.#byStart.length)
    return focus
  }

  /** The tasks that are where one outside of the plan is booked. */
  #listAtHomeOf(task: number): number[] {
    const { state } = this
    const { start, door } = state.homes[task]!
    if (state.isThere(task) || door < 0 || this.random() < 0.5) return []
    return state.listStays(door, start, state.endOf(task, start)).filter((item) => item < this.#byStart.length)
  }

  #costs(task: number): boolean {
    const { state } = this
    if (!state.isPlaced(task)) return true // also one outside
    const { start, door } = state.homes[task]!
    return state.starts[task] !== start || state.doors[task] !== door
  }

  #timeOf(task: number): number {
    return this.state.isPlaced(task) ? this.state.starts[task]! : this.state.homes[task]!.start
  }

  #pick(count: number): number {
    return Math.floor(this.random() * count)
  }
}
