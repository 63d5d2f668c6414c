import * as z from 'zod'
import { appointmentTypes, type FacilityChoice } from './facilities/rules/facility'
import { Text } from './rules/text'

export const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

export const FacilityId = z.guid().toLowerCase().describe('Facility ID; required unless facilityCode is given')

export const FacilityCode = Text.min(1)
  .max(100)
  .describe("The tenant's own code of the facility; required unless facilityId is given")

export function isFacilityId(name: string): boolean {
  return z.guid().safeParse(name).success
}

/** The error if neither is given. It is reported together with the other invalid fields. */
export const FACILITY_REQUIRED = {
  path: ['facilityId'],
  message: 'is required: identify the facility by its ID or its code',
  when: () => true,
}

/** One field for either. */
export const FacilityName = Text.min(1).max(100).describe('Facility ID, or its code')

export const AppointmentType = z.enum(appointmentTypes)

/** A date on the facility's calendar. */
export const CalendarDate = z.iso.date('must be an existing date in the form YYYY-MM-DD')

/** The response of a successful write. */
export const Success = z.object({ status: z.literal('success'), message: z.string() })

export const Name = Text.min(1).max(100)

const clock = '([01]\\d|2[0-3]):[0-5]\\d'

export const TimeOfDay = z.string().regex(new RegExp(`^${clock}$`), 'must be a time of day such as 06:00')

export const EndTime = z
  .string()
  .regex(new RegExp(`^(${clock}|24:00)$`), 'must be a time of day such as 18:00')
  .overwrite((time) => (time === '24:00' ? '00:00' : time))

export function isFacilityGiven({ facilityId, facilityCode }: FacilityChoice): boolean {
  return facilityId != null || facilityCode != null
}
