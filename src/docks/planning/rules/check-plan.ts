import { isOverlapping, type Span } from '../../booking/rules/spans'
import type { DayPlan, DayProblem, PlanLimit } from './day-problem'

/** A stay of a plan, with its number: tasks by theirs, fixed stays behind them. */
interface Stay extends Span {
  item: number
  door: number
}

/**
 * Why a plan is not possible; empty if it is. Tasks without a place stay where they are booked, in conflict or not: only what the plan places is
 * judged.
 */
export function findPlanFaults(problem: DayProblem, plan: DayPlan): string[] {
  const { tasks, fixed, bufferMs, limits } = problem
  const placed = tasks.map((task, item): Stay => {
    const { start, door } = plan[item] ?? task.home
    return { item, door, from: start, to: start + task.lengthMs }
  })
  const others = fixed.map((stay, index): Stay => ({ ...stay, item: tasks.length + index }))
  const stays = [...placed, ...others]
  const faults: string[] = []
  for (const stay of placed) {
    if (!plan[stay.item]) continue
    const start = tasks[stay.item]!.places.find((one) => one.start === stay.from)
    if (!start?.doors.includes(stay.door)) faults.push(`${stay.item} cannot be there`)
    for (const other of stays) {
      const isBoth = other.item < stay.item && other.item < tasks.length && plan[other.item]
      if (other.item === stay.item || isBoth || other.door !== stay.door) continue
      const wide = { from: stay.from - bufferMs, to: stay.to + bufferMs }
      if (isOverlapping(wide, other)) faults.push(`${stay.item} and ${other.item} are at one door`)
    }
  }
  const booked = tasks.map(({ home, lengthMs }, item): Stay => {
    return { item, door: home.door, from: home.start, to: home.start + lengthMs }
  })
  for (const limit of limits) faults.push(...findExceeded(limit, { booked: [...booked, ...others], stays }))
  return faults
}

/** Where a limit counts more than it allows, and more than with all tasks where they are booked. */
function findExceeded(
  { max, periods, isForOwnTime, taskAmounts, fixedAmounts }: PlanLimit,
  { booked, stays }: { booked: readonly Stay[]; stays: readonly Stay[] },
): string[] {
  const amountOf = ({ item }: Stay) => taskAmounts[item] ?? fixedAmounts[item - taskAmounts.length]!
  const isExceeded = (isCounted: (stay: Stay) => boolean) => {
    const sum = (list: readonly Stay[]) => list.filter(isCounted).reduce((all, one) => all + amountOf(one), 0)
    return sum(stays) > Math.max(max, sum(booked))
  }
  if (periods !== null)
    return periods
      .filter(({ from, to }) => isExceeded((stay) => from <= stay.from && stay.from < to))
      .map(({ from }) => `more than ${max} start at ${from}`)
  const isThere = (at: number) => (stay: Span) => stay.from <= at && at < stay.to
  const sumAt = (at: number) => stays.filter(isThere(at)).reduce((all, one) => all + amountOf(one), 0)
  const isGuestAt = (at: number) => stays.some((stay, index) => isThere(at)(stay) && !isThere(at)(booked[index]!))
  // The sum grows at a start. What is allowed shrinks where one is booked to end, and who came at its own time is a guest from then on.
  const moments = new Set([...stays.map(({ from }) => from), ...booked.map(({ to }) => to)])
  return [...moments]
    .filter((at) => isExceeded(isThere(at)) || (isForOwnTime && sumAt(at) > max && isGuestAt(at)))
    .map((at) => `more than ${max} are there at ${at}`)
}
