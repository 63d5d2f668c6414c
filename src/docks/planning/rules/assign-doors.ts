import { isOverlapping, type Span, widenSpan } from '../../booking/rules/spans'
import type { DayPlan, DayProblem, PlanPlace } from './day-problem'

/**
 * Gives tasks doors at given starts, one after the other: of the free doors the one that the fewest tasks can have, and of these the one that
 * waits the shortest. That is the best for doors that are all alike, and good for others. A task that finds no door, or has no start, gets no
 * place.
 */
export function assignDoors(
  { tasks, fixed, bufferMs, doorCount }: DayProblem,
  starts: readonly (number | null)[],
): DayPlan {
  const demand = countDemand(tasks, doorCount)
  const taken: Span[][] = Array.from({ length: doorCount }, () => [])
  for (const { door, from, to } of fixed) if (door >= 0) taken[door]!.push({ from, to })
  const doorsOf = (task: number) => tasks[task]!.places.find(({ start }) => start === starts[task])?.doors ?? []
  const plan: (PlanPlace | null)[] = tasks.map(() => null)
  const withStart = [...tasks.keys()].filter((task) => starts[task] !== null)
  withStart.sort((a, b) => starts[a]! - starts[b]! || doorsOf(a).length - doorsOf(b).length)
  for (const task of withStart) {
    const start = starts[task]!
    const stay = { from: start, to: start + tasks[task]!.lengthMs }
    const wide = widenSpan(stay, bufferMs)
    const freeSince = (door: number) => taken[door]!.reduce((latest, { to }) => Math.max(latest, to), 0)
    const [door] = doorsOf(task)
      .filter((door) => !taken[door]!.some((other) => isOverlapping(other, wide)))
      .sort((a, b) => demand[a]! - demand[b]! || freeSince(b) - freeSince(a) || a - b)
    if (door === undefined) continue
    taken[door]!.push(stay)
    plan[task] = { start, door }
  }
  return plan
}

/** How many tasks can have each door. */
export function countDemand(tasks: DayProblem['tasks'], doorCount: number): number[] {
  const demand = new Array<number>(doorCount).fill(0)
  for (const { places } of tasks) for (const door of new Set(places.flatMap(({ doors }) => doors))) demand[door]!++
  return demand
}
