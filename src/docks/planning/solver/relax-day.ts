import { groupBy } from '../../../kernel/work/group-by'
import type { Span } from '../../booking/rules/spans'
import { type DayProblem, delayOf, type PlanObjective } from '../rules/day-problem'

/** More sets of doors than these make the relaxation slower than they make it tighter. */
const MAX_DOOR_SETS = 24

/** Minimize the sum of the costs of whole numbers from 0 to `upper`, with `lower <= sum of values <= upper` in each row. */
export interface IntegerProgram {
  columns: { cost: number; upper: number; rows: number[]; values: number[] }[]
  rows: { lower: number; upper: number }[]
  /** What the first columns mean, one after the other. */
  choices: readonly Choice[]
}

/** A task at a start, at one of the doors that can take it then. Sets of doors have a bit per door. */
export interface Choice {
  task: number
  start: number
  doors: bigint
  cost: number
}

/** What the solution of a relaxation is the least of. */
export type Goal = 'unplaced' | PlanObjective

/** The columns one after the other: where each begins, and the row and value of each of its entries. */
export function toMatrix(columns: IntegerProgram['columns']) {
  const starts = new Int32Array(columns.length + 1)
  for (const [index, { rows }] of columns.entries()) starts[index + 1] = starts[index]! + rows.length
  return {
    starts,
    indices: Int32Array.from(columns.flatMap(({ rows }) => rows)),
    values: Float64Array.from(columns.flatMap(({ values }) => values)),
  }
}

/** What a relaxation is of. */
export interface RelaxationOptions {
  goal: Goal
  /** So many tasks may have no place, if that is not the goal itself. */
  mostUnplaced: number
}

/**
 * A relaxation of the day: each task has a start, and at no moment do more tasks need doors of a set than the set has. Which of them gets which
 * door is left out, so its solution costs at most what a plan costs. It may have only some of its choices.
 */
export function relaxDay(
  problem: DayProblem,
  options: RelaxationOptions,
  choices: readonly Choice[] = listChoices(problem, options),
): IntegerProgram {
  return new Relaxation(problem, choices, listDoorSets(problem, choices)).build(options)
}

/**
 * A narrower relaxation, with some of the choices of the other: each task also has a group of doors that are alike, and at no moment has a group
 * more tasks than doors. The doors `apart` are in no group with others.
 */
export function relaxToGroups(
  problem: DayProblem,
  options: RelaxationOptions,
  some: readonly Choice[],
  apart: ReadonlySet<number>,
): IntegerProgram {
  const groups = groupDoors(problem, apart)
  const choices = some.flatMap((choice) =>
    groups.flatMap((group) => ((choice.doors & group) === 0n ? [] : [{ ...choice, doors: choice.doors & group }])),
  )
  return new Relaxation(problem, choices, groups).build(options)
}

/** About how many entries a relaxation has. Some millions take seconds to build. */
export function countEntries({ tasks }: DayProblem): number {
  const starts = [...new Set(tasks.flatMap(({ places }) => places.map(({ start }) => start)))].sort((a, b) => a - b)
  const startsPerMs = starts.length > 1 ? starts.length / (starts.at(-1)! - starts[0]!) : 0
  return tasks.reduce((sum, { places, lengthMs }) => sum + places.length * (1 + lengthMs * startsPerMs), 0)
}

function listChoices({ tasks }: DayProblem, { goal }: RelaxationOptions): Choice[] {
  // Starts share their doors.
  const sets = new Map<readonly number[], bigint>()
  const setOf = (doors: readonly number[]) => {
    const set = sets.get(doors) ?? toSet(doors)
    sets.set(doors, set)
    return set
  }
  return tasks.flatMap((task, index) =>
    task.places.flatMap(({ start, doors }): Choice[] => {
      const cost = goal === 'on-time' ? delayOf(task, start) : goal === 'few-moves' ? 1 : 0
      const choice = { task: index, start, doors: setOf(doors), cost }
      const isHome = goal === 'few-moves' && start === task.home.start && doors.includes(task.home.door)
      return isHome ? [{ ...choice, doors: toSet([task.home.door]), cost: 0 }, choice] : [choice]
    }),
  )
}

/** All doors, and the sets that most choices have. */
function listDoorSets({ doorCount }: DayProblem, choices: readonly Choice[]): bigint[] {
  const all = (1n << BigInt(doorCount)) - 1n
  const counts = new Map<bigint, number>()
  for (const { doors } of choices) counts.set(doors, (counts.get(doors) ?? 0) + 1)
  counts.delete(all)
  const common = [...counts].sort(([, a], [, b]) => b - a).map(([set]) => set)
  return [all, ...common.slice(0, MAX_DOOR_SETS)]
}

/** Doors that take the same tasks at the same starts. */
function groupDoors({ tasks, doorCount }: DayProblem, apart: ReadonlySet<number>): bigint[] {
  const sets = [...new Set(tasks.flatMap(({ places }) => places.map(({ doors }) => toSet(doors))))]
  const kindOf = (door: number) =>
    (apart.has(door) ? `${door}:` : '') + sets.map((set) => (set >> BigInt(door)) & 1n).join('')
  return [...groupBy(new Array(doorCount).keys(), kindOf).values()].map(toSet)
}

class Relaxation {
  readonly #columns: IntegerProgram['columns'] = []
  readonly #rows: IntegerProgram['rows'] = []
  /** The columns of tasks without a place, which stay where they are booked. */
  readonly #left: { task: number; column: number; door: number; stay: Span }[] = []

  constructor(
    private readonly problem: DayProblem,
    private readonly choices: readonly Choice[],
    /** Of doors. */
    private readonly sets: readonly bigint[],
  ) {}

  build({ goal, mostUnplaced }: RelaxationOptions): IntegerProgram {
    for (const { cost } of this.choices) this.#addColumn(cost)
    this.#giveEachAStart(goal, mostUnplaced)
    this.#boundDoors(goal === 'few-doors' ? this.#addColumn(1, this.problem.doorCount) : null)
    this.#boundLimits()
    return { columns: this.#columns, rows: this.#rows, choices: this.choices }
  }

  #giveEachAStart(goal: Goal, mostUnplaced: number): void {
    const byTask = groupBy(this.choices.keys(), (index) => this.choices[index]!.task)
    const isAllowed = goal === 'unplaced' || mostUnplaced > 0
    const most = isAllowed ? this.#addRow(-Infinity, mostUnplaced) : 0
    for (const task of this.problem.tasks.keys()) {
      const row = this.#addRow(1, 1)
      for (const index of byTask.get(task) ?? []) this.#set(index, row, 1)
      if (!isAllowed) continue
      const none = this.#addColumn(goal === 'unplaced' ? 1 : 0)
      this.#set(none, row, 1)
      this.#set(none, most, 1)
      const { home, lengthMs } = this.problem.tasks[task]!
      const stay = { from: home.start, to: home.start + lengthMs }
      this.#left.push({ task, column: none, door: home.door, stay })
    }
  }

  /** `counted` is the column of the number of used doors. */
  #boundDoors(counted: number | null): void {
    const { fixed, bufferMs, doorCount } = this.problem
    const all = (1n << BigInt(doorCount)) - 1n
    const moments = this.#listMoments()
    const sets = counted === null ? this.sets : new Set([all, ...this.sets])
    for (const moment of moments) {
      const isAt = ({ from, to }: Span) => from <= moment && moment < to + bufferMs
      const there = [...this.choices.entries()].filter(([, choice]) => isAt(this.#stayOf(choice)))
      const taken = toSet(fixed.filter((stay) => stay.door >= 0 && isAt(stay)).map(({ door }) => door))
      for (const set of sets) {
        const members = there.filter(([, { doors }]) => (doors & ~set) === 0n)
        if (members.length === 0) continue
        // Doors that none of them can have, as one that has failed, are no help.
        const usable = members.reduce((doors, [, choice]) => doors | choice.doors, 0n) & ~taken
        const left = this.#listLeft(usable, isAt)
        const isCounted = counted !== null && set === all
        const count = new Set([...members.map(([, { task }]) => task), ...left.map(({ task }) => task)]).size
        if (!isCounted && count <= countDoors(usable)) continue
        const row = this.#addRow(-Infinity, isCounted ? -countDoors(taken) : countDoors(usable))
        for (const [index] of members) this.#set(index, row, 1)
        for (const { column } of left) this.#set(column, row, 1)
        if (isCounted) this.#set(counted, row, -1)
      }
    }
  }

  /** Those that are left at these doors then, one of each door: several may be booked there, after a change of the facility. */
  #listLeft(doors: bigint, isAt: (stay: Span) => boolean): { task: number; column: number }[] {
    const there = this.#left.filter(({ stay, door }) => door >= 0 && isAt(stay) && (doors >> BigInt(door)) & 1n)
    return [...new Map(there.map((one) => [one.door, one])).values()]
  }

  #boundLimits(): void {
    const { tasks, fixed, limits } = this.problem
    const booked = tasks.map(({ home, lengthMs }) => ({ from: home.start, to: home.start + lengthMs }))
    for (const { max, periods, taskAmounts, fixedAmounts } of limits) {
      const tests =
        periods?.map(
          ({ from, to }) =>
            (stay: Span) =>
              from <= stay.from && stay.from < to,
        ) ??
        // What is allowed shrinks where one is booked to end.
        [...new Set([...this.#listMoments(), ...booked.map(({ to }) => to)])].map(
          (at) => (stay: Span) => stay.from <= at && at < stay.to,
        )
      for (const isCounted of tests) {
        const sum = (stays: readonly Span[], amounts: readonly number[]) =>
          stays.reduce((all, stay, index) => all + (isCounted(stay) ? amounts[index]! : 0), 0)
        const members = [...this.choices.entries()].filter(([, choice]) => isCounted(this.#stayOf(choice)))
        const ofFixed = sum(fixed, fixedAmounts)
        const row = this.#addRow(-Infinity, Math.max(max, sum(booked, taskAmounts) + ofFixed) - ofFixed)
        for (const [index, { task }] of members) this.#set(index, row, taskAmounts[task]!)
        for (const { task, column, stay } of this.#left) if (isCounted(stay)) this.#set(column, row, taskAmounts[task]!)
      }
    }
  }

  #stayOf({ task, start }: Choice): Span {
    return { from: start, to: start + this.problem.tasks[task]!.lengthMs }
  }

  /** What is there is most where a stay begins. */
  #listMoments(): number[] {
    return [...new Set([...this.choices.map(({ start }) => start), ...this.problem.fixed.map(({ from }) => from)])]
  }

  #addColumn(cost: number, upper = 1): number {
    this.#columns.push({ cost, upper, rows: [], values: [] })
    return this.#columns.length - 1
  }

  #addRow(lower: number, upper: number): number {
    this.#rows.push({ lower, upper })
    return this.#rows.length - 1
  }

  #set(column: number, row: number, value: number): void {
    this.#columns[column]!.rows.push(row)
    this.#columns[column]!.values.push(value)
  }
}

function toSet(doors: readonly number[]): bigint {
  return doors.reduce((set, door) => set | (1n << BigInt(door)), 0n)
}

export function listDoors(set: bigint): number[] {
  const doors: number[] = []
  for (let door = 0; set >> BigInt(door) > 0n; door++) if ((set >> BigInt(door)) & 1n) doors.push(door)
  return doors
}

function countDoors(set: bigint): number {
  let count = 0
  for (let rest = set; rest > 0n; rest &= rest - 1n) count++
  return count
}
