import { MINUTE_MS } from '../../../kernel/time'
import type { DayPlan, DayProblem, PlanLimit } from './day-problem'

/** In place of a start: the task has no place and stays where it is booked. */
const UNPLACED = -1

/** A limit with the amounts that it counts now, by minute of the day or by period. */
interface CountedLimit {
  /** The most at each minute or in each period: what is booked already stays allowed. */
  most: Int32Array
  max: number
  /** How many are there at each minute that is not in their own time, if that matters. */
  guests: Int32Array | null
  /** The period of each minute; null for a limit of every moment. */
  periods: Int32Array | null
  amounts: readonly number[]
  counted: Int32Array
}

/** Where the tasks of a day are, for a search that moves them many times. Times are minutes of the day of the problem. */
export class PlanState {
  readonly homes: readonly { start: number; door: number }[]
  /** The starts of each task in minutes, with their doors. */
  readonly places: readonly (readonly { start: number; doors: readonly number[] }[])[]
  /** The start of each task, or -1. */
  readonly starts: Int32Array
  readonly doors: Int32Array
  /** How many stays each door has. */
  readonly used: Int32Array

  readonly #originMs: number
  readonly #lengths: Int32Array
  readonly #buffer: number
  /** When each stay begins, and when its door is free again after the buffer. Fixed stays are behind the tasks. */
  readonly #from: Int32Array
  readonly #free: Int32Array
  readonly #isThere: Uint8Array
  readonly #stays: number[][]
  readonly #limits: CountedLimit[]

  constructor(private readonly problem: DayProblem) {
    const { tasks, fixed, doorCount, bufferMs } = problem
    const all = [
      ...tasks.flatMap(({ home, places, lengthMs }) =>
        [home, ...places].map(({ start }) => ({ from: start, to: start + lengthMs })),
      ),
      ...fixed,
    ]
    this.#originMs = all.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY)
    const endMs = all.reduce((most, { to }) => Math.max(most, to), 0)
    this.#buffer = Math.ceil(bufferMs / MINUTE_MS)
    const minutes = all.length === 0 ? 0 : this.toMinute(endMs) + this.#buffer + 1
    this.#lengths = Int32Array.from(tasks, ({ lengthMs }) => Math.ceil(lengthMs / MINUTE_MS))
    this.homes = tasks.map(({ home }) => ({ start: this.toMinute(home.start), door: home.door }))
    this.places = tasks.map(({ places }) => places.map(({ start, doors }) => ({ start: this.toMinute(start), doors })))
    this.starts = new Int32Array(tasks.length).fill(UNPLACED)
    this.doors = new Int32Array(tasks.length).fill(-1)
    this.used = new Int32Array(doorCount)
    this.#from = new Int32Array(tasks.length + fixed.length)
    this.#free = new Int32Array(tasks.length + fixed.length)
    this.#isThere = new Uint8Array(tasks.length + fixed.length)
    this.#stays = Array.from({ length: doorCount }, () => [])
    this.#limits = problem.limits.map((limit) => this.#startCounting(limit, minutes))
    for (const [index, { door, from, to }] of fixed.entries())
      this.#add(tasks.length + index, door, this.toMinute(from), Math.ceil((to - this.#originMs) / MINUTE_MS))
    for (const task of tasks.keys()) this.leave(task)
    for (const { most, counted } of this.#limits)
      for (const [index, count] of counted.entries()) most[index] = Math.max(most[index]!, count)
    for (const task of tasks.keys()) this.remove(task)
  }

  /** When its door would be free again after the buffer. */
  endOf(task: number, start: number): number {
    return start + this.#lengths[task]! + this.#buffer
  }

  /** Whether the task can be there beside all others. */
  isFree(task: number, start: number, door: number): boolean {
    const free = this.endOf(task, start)
    for (const other of this.#stays[door]!) if (this.#from[other]! < free && start < this.#free[other]!) return false
    return true
  }

  isWithinLimits(task: number, start: number): boolean {
    const end = start + this.#lengths[task]!
    for (const { most, max, guests, periods, amounts, counted } of this.#limits) {
      const amount = amounts[task]!
      if (amount === 0) continue
      if (periods !== null) {
        const period = periods[start]!
        if (period >= 0 && counted[period]! + amount > most[period]!) return false
      } else
        for (let minute = start; minute < end; minute++) {
          const sum = counted[minute]! + amount
          if (sum > most[minute]!) return false
          if (sum > max && guests !== null && (guests[minute]! > 0 || !this.#isOwnTime(task, minute))) return false
        }
    }
    return true
  }

  place(task: number, start: number, door: number): void {
    this.starts[task] = start
    this.doors[task] = door
    this.#add(task, door, start, start + this.#lengths[task]!)
  }

  /** Leaves the task where it is booked, in conflict with others or not. */
  leave(task: number): void {
    const { start, door } = this.homes[task]!
    this.starts[task] = UNPLACED
    this.doors[task] = door
    this.#add(task, door, start, start + this.#lengths[task]!)
  }

  /** Without effect on a task that was removed already. */
  remove(task: number): void {
    if (this.#isThere[task] === 0) return
    this.#isThere[task] = 0
    const door = this.doors[task]!
    const from = this.#from[task]!
    this.starts[task] = UNPLACED
    this.doors[task] = -1
    this.#count(task, from, from + this.#lengths[task]!, -1)
    if (door < 0) return
    const stays = this.#stays[door]!
    stays[stays.indexOf(task)] = stays.at(-1)!
    stays.pop()
    this.used[door]!--
  }

  isThere(task: number): boolean {
    return this.#isThere[task] === 1
  }

  isPlaced(task: number): boolean {
    return this.starts[task] !== UNPLACED
  }

  /** Those at the door between two minutes, fixed stays included. */
  listStays(door: number, from: number, to: number): number[] {
    return this.#stays[door]!.filter((item) => this.#from[item]! < to && from < this.#free[item]!)
  }

  /** Whether a task that was placed is in the way of this one where it is booked. Limits may be, too. */
  isHomeTakenByTask(task: number): boolean {
    const { start, door } = this.homes[task]!
    if (!this.isWithinLimits(task, start)) return true
    if (door < 0) return false
    return this.listStays(door, start, this.endOf(task, start)).some(
      (item) => item < this.homes.length && this.isPlaced(item),
    )
  }

  toMinute(instant: number): number {
    return Math.floor((instant - this.#originMs) / MINUTE_MS)
  }

  toPlan(): DayPlan {
    return this.problem.tasks.map((_, task) =>
      this.isPlaced(task) ? { start: this.#originMs + this.starts[task]! * MINUTE_MS, door: this.doors[task]! } : null,
    )
  }

  #add(item: number, door: number, from: number, to: number): void {
    this.#isThere[item] = 1
    this.#from[item] = from
    this.#free[item] = to + this.#buffer
    this.#count(item, from, to, 1)
    if (door < 0) return
    this.#stays[door]!.push(item)
    this.used[door]!++
  }

  #isOwnTime(task: number, minute: number): boolean {
    const { start } = this.homes[task]!
    return start <= minute && minute < start + this.#lengths[task]!
  }

  #count(item: number, from: number, to: number, sign: 1 | -1): void {
    for (const { guests, periods, amounts, counted } of this.#limits) {
      const amount = amounts[item]! * sign
      if (amount === 0) continue
      if (guests !== null && item < this.homes.length && this.homes[item]!.start !== from)
        for (let minute = from; minute < to; minute++) if (!this.#isOwnTime(item, minute)) guests[minute]! += sign
      if (periods === null) for (let minute = from; minute < to; minute++) counted[minute]! += amount
      else if (periods[from]! >= 0) counted[periods[from]!]! += amount
    }
  }

  #startCounting({ max, periods, isForOwnTime, taskAmounts, fixedAmounts }: PlanLimit, minutes: number): CountedLimit {
    const amounts = [...taskAmounts, ...fixedAmounts]
    const count = periods === null ? minutes : periods.length
    const guests = isForOwnTime ? new Int32Array(count) : null
    const limit = { most: new Int32Array(count).fill(max), max, guests, amounts, counted: new Int32Array(count) }
    if (periods === null) return { ...limit, periods: null }
    const byMinute = new Int32Array(minutes).fill(-1)
    for (const [index, { from, to }] of periods.entries())
      byMinute.fill(index, Math.max(0, this.toMinute(from)), Math.max(0, this.toMinute(to)))
    return { ...limit, periods: byMinute }
  }
}
