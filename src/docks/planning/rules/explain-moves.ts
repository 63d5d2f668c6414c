import { isOverlapping, type Span, widenSpan } from '../../booking/rules/spans'
import { type DayPlan, type DayProblem, isHome, type PlanPlace } from './day-problem'

/** Who is in the way of a task at a place: another task, or a fixed stay, by its number. */
export type Obstacle = { task: number } | { fixed: number }

/** Who has to leave a place before the task can be there: those that are booked there. */
export function listBefore(problem: DayProblem, plan: DayPlan, task: number): number[] {
  const place = plan[task]
  if (!place || isHome(problem.tasks[task]!, place)) return []
  return listTasksAt(problem, place, task, (other) => problem.tasks[other]!.home)
}

/** A fixed stay at the booked place of the task, or a task that gets that place; null if there is none. */
export function findObstacle(problem: DayProblem, plan: DayPlan, task: number): Obstacle | null {
  const { home } = problem.tasks[task]!
  const wide = widenSpan(spanOf(problem, task, home), problem.bufferMs)
  const fixed = problem.fixed.findIndex((stay) => stay.door === home.door && isOverlapping(stay, wide))
  if (fixed >= 0) return { fixed }
  const [other] = listTasksAt(problem, home, task, (one) => plan[one] ?? problem.tasks[one]!.home)
  return other === undefined ? null : { task: other }
}

/** The tasks that move together with each one, because one needs the place of another: groups of numbers, by their lowest. */
export function groupMoves(problem: DayProblem, plan: DayPlan): number[][] {
  const moving = [...plan.keys()].filter((task) => plan[task] && !isHome(problem.tasks[task]!, plan[task]))
  const groupOf = new Map(moving.map((task) => [task, [task]]))
  for (const task of moving) {
    for (const other of listBefore(problem, plan, task)) {
      const [one, two] = [groupOf.get(task)!, groupOf.get(other)]
      if (two === undefined || one === two) continue
      one.push(...two)
      for (const member of two) groupOf.set(member, one)
    }
  }
  return [...new Set(groupOf.values())].map((group) => group.sort((a, b) => a - b))
}

function listTasksAt(
  problem: DayProblem,
  place: PlanPlace,
  task: number,
  placeOf: (other: number) => PlanPlace,
): number[] {
  const wide = widenSpan(spanOf(problem, task, place), problem.bufferMs)
  return [...problem.tasks.keys()].filter((other) => {
    if (other === task) return false
    const there = placeOf(other)
    return there.door === place.door && isOverlapping(spanOf(problem, other, there), wide)
  })
}

function spanOf({ tasks }: DayProblem, task: number, { start }: PlanPlace): Span {
  return { from: start, to: start + tasks[task]!.lengthMs }
}
