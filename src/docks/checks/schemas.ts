import * as z from 'zod'
import { awayChoices } from './queries/booking-checks'

export const BookingCheckSettings = z.object({
  facilityId: z.string(),
  facilityCode: z.string(),
  url: z.string(),
  timeoutSeconds: z.number().describe('How long a booking waits for the answer'),
  ifAway: z.enum(awayChoices).describe('What happens with a booking if there is no answer'),
})
