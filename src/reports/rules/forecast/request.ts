import type { Scope } from './scope'

/** A finished backlog item of the team. */
export interface FinishedItem {
  /** An instant or a day. */
  finishedAt: string
  points: number | null
}

export interface ForecastRequest {
  finished: readonly FinishedItem[]
  /** The day of the newest data, `2026-11-29`. */
  asOf: string
  /** Whether `asOf` is over. If not, the record ends the day before: a part of a day is no day. */
  isDayOver: boolean
  /** What is to be done, in this order. */
  work: readonly Work[]
  /** A day, `2027-03-31`. */
  by: string | null
  /** From 0 to 1: how much of the pace is for this work. */
  focus: number
  daysOff: ReadonlySet<number>
  seed: number
}

/** A scope, or a number of items without more. */
export type Work = Scope | { items: number }
