import { makeRoom } from '../../booking/rules/make-room'
import { isOverlapping, type Span, widenSpan } from '../../booking/rules/spans'
import type { DayPlan, DayProblem, PlanPlace, PlanStart } from './day-problem'

/** What all searches for room may do. */
const WORK = 100_000

/**
 * Gives tasks one of some doors at given starts, one after the other: of the free doors the one that the fewest tasks can have, and of these the one
 * that waits the shortest. That is the best for doors that are all alike, and good for others; where none is free, others make room. A
 * task that finds no door gets no place; one without a start stays where it is booked.
 */
export function assignDoors(problem: DayProblem, wanted: readonly (PlanStart | null)[]): DayPlan {
  const { tasks, fixed, bufferMs, doorCount } = problem
  const demand = countDemand(tasks, doorCount)
  const taken: Span[][] = Array.from({ length: doorCount }, () => [])
  const left = tasks.flatMap(({ home, lengthMs }, task) =>
    wanted[task] ? [] : [{ door: home.door, from: home.start, to: home.start + lengthMs }],
  )
  for (const { door, from, to } of [...fixed, ...left]) if (door >= 0) taken[door]!.push({ from, to })
  const plan: (PlanPlace | null)[] = tasks.map(() => null)
  const withStart = [...tasks.keys()].flatMap((task) => (wanted[task] ? [{ task, ...wanted[task] }] : []))
  withStart.sort((a, b) => a.start - b.start || a.doors.length - b.doors.length)
  for (const { task, start, doors } of withStart) {
    const stay = { from: start, to: start + tasks[task]!.lengthMs }
    const wide = widenSpan(stay, bufferMs)
    const freeSince = (door: number) => taken[door]!.reduce((latest, { to }) => Math.max(latest, to), 0)
    const [door] = doors
      .filter((door) => !taken[door]!.some((other) => isOverlapping(other, wide)))
      .sort((a, b) => demand[a]! - demand[b]! || freeSince(b) - freeSince(a) || a - b)
    if (door === undefined) continue
    taken[door]!.push(stay)
    plan[task] = { start, door }
  }
  const budget = { left: WORK }
  for (const { task, start } of withStart)
    if (plan[task] === null) makeRoomFor(problem, plan, { task, start, stays: [...fixed, ...left], budget })
  return plan
}

/** Moves tasks of the plan to other doors so that the task can begin then, if that is possible. */
function makeRoomFor(
  { tasks, bufferMs, doorCount }: DayProblem,
  plan: (PlanPlace | null)[],
  {
    task,
    start,
    stays,
    budget,
  }: { task: number; start: number; stays: readonly (Span & { door: number })[]; budget: { left: number } },
): void {
  const doorsAt = (index: number, at: number) => tasks[index]!.places.find((place) => place.start === at)?.doors ?? []
  const stayAt = (index: number, at: number) => ({ from: at, to: at + tasks[index]!.lengthMs })
  const placed = plan.flatMap((place, index) => (place === null ? [] : [{ index, ...place }]))
  const occupants = [
    ...placed.map(({ index, start: at, door }) => {
      return { ...stayAt(index, at), door, listDoors: () => doorsAt(index, at) }
    }),
    ...stays.map(({ from, to, door }) => ({ from, to, door, listDoors: null })),
  ]
  const added = { ...stayAt(task, start), doors: doorsAt(task, start) }
  const search = makeRoom({ occupants, doorCount, bufferMs }, added, budget)
  let step = search.next()
  while (!step.done) step = search.next()
  if (step.value.door === null) return
  for (const [occupant, door] of step.value.moves)
    plan[placed[occupant]!.index] = { start: placed[occupant]!.start, door }
  plan[task] = { start, door: step.value.door }
}

/** How many tasks can have each door. */
export function countDemand(tasks: DayProblem['tasks'], doorCount: number): number[] {
  const demand = new Array<number>(doorCount).fill(0)
  for (const { places } of tasks) for (const door of new Set(places.flatMap(({ doors }) => doors))) demand[door]!++
  return demand
}
