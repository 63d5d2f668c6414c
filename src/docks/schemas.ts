import * as z from 'zod'
import { appointmentStatuses, appointmentTypes } from './rules/facility'

/** The nouns of the appointments as every surface shows and takes them. */

/** A text that every engine keeps as it is: PostgreSQL takes no U+0000, and UTF-8 has no half of a surrogate pair. */
export const Text = z
  .string()
  .refine((text) => !/[\0\p{Surrogate}]/u.test(text), 'must not hold U+0000 or half of a character')
  .trim()

export const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

export const AppointmentId = z.guid().toLowerCase().describe('Appointment ID')
export const FacilityId = z.guid().toLowerCase().describe('Facility ID; required unless facilityCode is given')
export const FacilityCode = Text.min(1)
  .max(100)
  .describe("The tenant's own code of the facility; required unless facilityId is given")

/** One word for either, where there is no other field. */
export const FacilityName = Text.min(1).max(100).describe('Facility ID, or its code')

export const AppointmentType = z.enum(appointmentTypes)
export const AppointmentStatus = z.enum(appointmentStatuses)

/** A date on the facility's calendar. */
export const CalendarDate = z.iso.date('must be a date that exists, as YYYY-MM-DD')

/** Compared exactly, case included. */
export const ReferenceNumber = Text.min(1).max(200)

export const DurationMinutes = z.int().min(1).describe("Length in minutes, within the facility's limits")

export const Appointment = z.object({
  id: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  facilityCode: z.string(),
  doorId: z.string(),
  doorName: z.string(),
  type: AppointmentType,
  startTime: Instant,
  endTime: Instant,
  carrierName: z.string(),
  referenceNumber: z.string(),
  status: AppointmentStatus,
  palletCount: z.int().nullable(),
  durationMinutes: z.int(),
  weight: z.int().nullable().describe('Pounds'),
  loadDescription: z.string().nullable(),
  equipmentId: z.string().nullable(),
  trailerId: z.string().nullable().describe('The same as equipmentId'),
})
export type Appointment = z.infer<typeof Appointment>

/** What the documents show of an appointment in each answer. */
export const BookedAppointment = Appointment.omit({ weight: true, loadDescription: true })
export const MovedAppointment = BookedAppointment.omit({
  facilityId: true,
  facilityName: true,
  facilityCode: true,
  equipmentId: true,
  trailerId: true,
})
const extension = { 'x-extension': true }

/** What the documents show of one in a list, and what they do not name marked as such. */
export const ListedAppointment = Appointment.omit({ durationMinutes: true, equipmentId: true, trailerId: true }).extend(
  {
    facilityName: Appointment.shape.facilityName.meta(extension),
    facilityCode: Appointment.shape.facilityCode.meta(extension),
    timeZone: z.string().meta({ ...extension, description: 'IANA time zone of the facility' }),
    sequence: z.int().meta({ ...extension, description: 'How often it has changed since it was booked' }),
    updatedAt: z.string().meta({ ...extension, description: 'When it was booked or last changed' }),
  },
)
export type ListedAppointment = z.infer<typeof ListedAppointment>

/** The answer of a write that succeeded. */
export const Success = z.object({ status: z.literal('success'), message: z.string() })
