import { type Context, inputError } from '../../../kernel'
import type { Facility } from '../../facilities/rules/facility'
import type { NewTrailerStep, TrailerRecord } from '../../queries'
import { formatLocalDateTime } from '../../rules/zoned-time'
import { identifyCaller } from '../../services/tenant-access'
import { resolveStepTime } from '../../visits/services/visit-steps'
import type { TrailerState, TrailerStep } from '../rules/trailer-steps'

/** A step of a trailer as it is stored. `at` is when it happened, now if it is missing. Throws `invalid` if it is before `after`, the time of the last step in epoch milliseconds. */
export function createTrailerStep(
  ctx: Pick<Context, 'actor' | 'clock'>,
  facility: Facility,
  { kind, at, after, state }: { kind: TrailerStep; at?: string | null; after?: number; state: TrailerState },
): NewTrailerStep {
  const now = ctx.clock.now()
  const occurredAt = at == null ? now : resolveStepTime(facility, at, now)
  if (after !== undefined && occurredAt < after) {
    const message = `must not be before the last step: ${describeTime(facility, after)}`
    throw inputError([{ path: 'at', message }])
  }
  return { kind, at: now, occurredAt, caller: identifyCaller(ctx), state }
}

/** In messages, such as `2027-03-01 06:00 (America/Chicago)`. */
export function describeTime({ timeZone }: Pick<Facility, 'timeZone'>, instant: number): string {
  return `${formatLocalDateTime(timeZone, instant)} (${timeZone})`
}

export function stateOf(trailer: TrailerRecord): TrailerState {
  const { number, carrierName, loaded, appointmentId, spotId, doorId, note } = trailer
  return { number, carrierName, loaded, appointmentId, spotId, doorId, note }
}
