import { inputError } from '../../kernel'
import type { FacilityRules } from './facility'

type Limits = Pick<FacilityRules, 'minMinutes' | 'maxMinutes'>

/**
 * The length of an appointment in minutes. Asked for outright it must be within the facility's limits; worked out from the
 * pallets, as the interface's documents have it (2 minutes each and 20 more), it is held within them.
 */
export function resolveMinutes(
  facility: FacilityRules,
  asked: { durationMinutes?: number | null; palletCount?: number | null },
): number {
  if (asked.durationMinutes != null) return requireWithinLimits(facility, asked.durationMinutes)
  if (asked.palletCount == null) return facility.defaultMinutes
  return clampMinutes(facility, asked.palletCount * 2 + 20)
}

/** The nearest length that the facility takes. */
export function clampMinutes({ minMinutes, maxMinutes }: Limits, minutes: number): number {
  return Math.min(Math.max(minutes, minMinutes), maxMinutes)
}

/** The same minutes; throws `invalid` when the facility takes no appointment of that length. */
export function requireWithinLimits(
  { minMinutes, maxMinutes }: Limits,
  minutes: number,
  field = 'durationMinutes',
): number {
  if (minMinutes <= minutes && minutes <= maxMinutes) return minutes
  throw inputError([
    { path: field, message: `must be within ${minMinutes}..${maxMinutes} at this facility, not ${minutes}` },
  ])
}
