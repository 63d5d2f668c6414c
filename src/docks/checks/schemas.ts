import * as z from 'zod'
import { SECOND_MS } from '../../kernel/time'
import type { Facility } from '../facilities/rules/facility'
import { awayChoices, type BookingCheck } from './queries/booking-checks'

const MAX_TIMEOUT_SECONDS = 20

/** The settings of a booking check, which also has an address. */
export const bookingCheckFields = {
  timeoutSeconds: z.int().min(1).max(MAX_TIMEOUT_SECONDS).describe('How long a booking waits for the answer'),
  ifAway: z
    .enum(awayChoices)
    .describe('What happens with a booking if there is no answer: accept it unchecked, or refuse it'),
}

export const BookingCheckSettings = z.object({
  facilityId: z.string(),
  facilityCode: z.string(),
  url: z.string(),
  ...bookingCheckFields,
})

export function presentBookingCheck(
  { id, code }: Pick<Facility, 'id' | 'code'>,
  { url, timeoutMs, ifAway }: BookingCheck,
): z.output<typeof BookingCheckSettings> {
  return { facilityId: id, facilityCode: code, url, timeoutSeconds: timeoutMs / SECOND_MS, ifAway }
}
