import { isOverlapping, type Span, widenSpan } from '../../booking/rules/spans'
import type { DayPlan, DayProblem, PlanPlace, PlanStart } from './day-problem'

/**
 * Gives tasks one of some doors at given starts, one after the other: of the free doors the one that the fewest tasks can have, and of these the one
 * that waits the shortest. That is the best for doors that are all alike, and good for others. A task that finds no door gets no place; one without a
 * start stays where it is booked.
 */
export function assignDoors(
  { tasks, fixed, bufferMs, doorCount }: DayProblem,
  wanted: readonly (PlanStart | null)[],
): DayPlan {
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
  return plan
}

/** How many tasks can have each door. */
export function countDemand(tasks: DayProblem['tasks'], doorCount: number): number[] {
  const demand = new Array<number>(doorCount).fill(0)
  for (const { places } of tasks) for (const door of new Set(places.flatMap(({ doors }) => doors))) demand[door]!++
  return demand
}
