import { StudioError } from '../../kernel'
import type { FacilityRules } from './facility'

/**
 * The length of an appointment in minutes. Asked for outright it must be within the facility's limits; worked out from the
 * pallets, as the interface's documents have it (2 minutes each and 20 more), it is held within them.
 */
export function appointmentMinutes(
  facility: FacilityRules,
  asked: { durationMinutes?: number | null; palletCount?: number | null },
): number {
  const { minMinutes, maxMinutes, defaultMinutes } = facility
  if (asked.durationMinutes != null) return withinLimits(facility, asked.durationMinutes)
  if (asked.palletCount == null) return defaultMinutes
  return Math.min(Math.max(asked.palletCount * 2 + 20, minMinutes), maxMinutes)
}

/** The same minutes; throws `invalid` when the facility takes no appointment of that length. */
export function withinLimits({ minMinutes, maxMinutes }: FacilityRules, minutes: number): number {
  if (minMinutes <= minutes && minutes <= maxMinutes) return minutes
  const message = `durationMinutes must be within ${minMinutes}..${maxMinutes} at this facility, not ${minutes}.`
  throw new StudioError('invalid', message, { details: [{ path: 'durationMinutes', message }] })
}
