import { MINUTE_MS } from '../../../kernel/time'
import type { Span } from '../../booking/rules/spans'

/**
 * A day of a facility as numbers, for which a plan is searched. Doors are numbers from 0, by position; instants are epoch milliseconds at whole
 * minutes. It holds only what a search needs, so that it can be sent to another thread.
 */
export interface DayProblem {
  doorCount: number
  /** The least time between two stays at a door. */
  bufferMs: number
  /** The appointments that may move. */
  tasks: readonly PlanTask[]
  /** The stays that the plan cannot change, such as trucks at doors, holds, and appointments that are pinned. */
  fixed: readonly FixedStay[]
  limits: readonly PlanLimit[]
}

/** A stay at a door. The door is negative if it cannot be booked any more: the stay still counts for limits. */
export interface FixedStay extends Span {
  door: number
}

export interface PlanPlace {
  start: number
  door: number
}

export interface PlanTask {
  /** Where and when it is booked. The door is negative if it cannot be booked any more. */
  home: PlanPlace
  lengthMs: number
  /** What a minute of delay costs. */
  weight: number
  /**
   * The starts that the facility's rules and its truck allow, by time, each with the doors that can take it then if no other is there. An
   * appointment that is fine where it is has its home among them.
   */
  places: readonly PlanStart[]
}

export interface PlanStart {
  start: number
  doors: readonly number[]
}

/**
 * At most `max` of the amounts at every moment, or among the starts of each period. Where more are booked already, as many as are booked: a
 * plan never makes more of it.
 */
export interface PlanLimit {
  max: number
  /** Whether more than `max` can be at a moment only if all who move are there at their own time, as for the capacity. */
  isForOwnTime: boolean
  /** Null for every moment. */
  periods: readonly Span[] | null
  /** What each task counts, by its number. */
  taskAmounts: readonly number[]
  /** What each fixed stay counts, by its number. */
  fixedAmounts: readonly number[]
}

export const planObjectives = ['on-time', 'few-moves', 'few-doors'] as const

/** What a plan keeps low first. */
export type PlanObjective = (typeof planObjectives)[number]

/** The place of each task; null if there is none for it. Then it stays where it is booked, and is in the way of others there. */
export type DayPlan = readonly (PlanPlace | null)[]

/** What a plan costs. */
export interface PlanCost {
  /** How many appointments have no place. */
  unplaced: number
  /** Minutes after the booked start, times the weight, of all tasks that have a place. */
  delay: number
  /** How many tasks are not where or when they are booked. */
  moves: number
  /** How many doors have a stay. */
  doors: number
}

export function costPlan({ tasks, fixed }: DayProblem, plan: DayPlan): PlanCost {
  const doors = new Set(fixed.map(({ door }) => door))
  const cost: PlanCost = { unplaced: 0, delay: 0, moves: 0, doors: 0 }
  for (const [index, place] of plan.entries()) {
    const task = tasks[index]!
    doors.add((place ?? task.home).door)
    if (place === null) cost.unplaced++
    else {
      cost.delay += delayOf(task, place.start)
      if (!isHome(task, place)) cost.moves++
    }
  }
  cost.doors = [...doors].filter((door) => door >= 0).length
  return cost
}

/** Minutes after the booked start, times the weight. */
export function delayOf({ home, weight }: PlanTask, start: number): number {
  return (Math.max(0, start - home.start) / MINUTE_MS) * weight
}

export function isHome({ home }: PlanTask, { start, door }: PlanPlace): boolean {
  return start === home.start && door === home.door
}

/** What counts after the number of appointments without a place, in its order. */
export const rankedCosts: Record<PlanObjective, readonly (keyof PlanCost)[]> = {
  'on-time': ['unplaced', 'delay', 'moves', 'doors'],
  'few-moves': ['unplaced', 'moves', 'delay', 'doors'],
  'few-doors': ['unplaced', 'doors', 'delay', 'moves'],
}

/** Negative if the first is better. */
export function compareCosts(objective: PlanObjective, one: PlanCost, other: PlanCost): number {
  for (const key of rankedCosts[objective]) if (one[key] !== other[key]) return one[key] - other[key]
  return 0
}
