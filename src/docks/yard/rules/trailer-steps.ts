import { HOUR_MS, MINUTE_MS } from '../../../kernel/time'

/** What happens to a trailer. `changed` corrects what is known of it. */
export const trailerSteps = ['arrived', 'moved', 'changed', 'left'] as const
export type TrailerStep = (typeof trailerSteps)[number]

/** All that is known of a trailer after a step, but its times. */
export interface TrailerState {
  number: string
  carrierName: string
  loaded: boolean
  appointmentId: string | null
  spotId: string | null
  doorId: string | null
  note: string | null
}

/** A step that was not undone. Times are epoch milliseconds. */
export interface TakenStep {
  kind: TrailerStep
  occurredAt: number
  state: TrailerState
}

/** Where a trailer is and since when, by its steps, oldest first. The first one is its arrival. */
export function followSteps(steps: readonly TakenStep[]): TrailerState & {
  arrivedAt: number
  placedAt: number
  leftAt: number | null
} {
  const last = steps.at(-1)!
  const placed = steps.findLast(({ kind }) => kind === 'arrived' || kind === 'moved')!
  return {
    ...last.state,
    arrivedAt: steps[0]!.occurredAt,
    placedAt: placed.occurredAt,
    leftAt: last.kind === 'left' ? last.occurredAt : null,
  }
}

/** How long a trailer is or was in the yard, and how long of that is beyond its free time. */
export function measureStay(
  { arrivedAt, leftAt }: { arrivedAt: number; leftAt: number | null },
  { trailerFreeHours, now }: { trailerFreeHours: number; now: number },
): { dwellMinutes: number; detentionMinutes: number } {
  const stayed = (leftAt ?? now) - arrivedAt
  return {
    dwellMinutes: Math.round(stayed / MINUTE_MS),
    detentionMinutes: Math.max(0, Math.round((stayed - trailerFreeHours * HOUR_MS) / MINUTE_MS)),
  }
}
