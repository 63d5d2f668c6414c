import * as z from 'zod'
import { appointmentStatuses } from '../facilities/rules/facility'
import { Text } from '../rules/text'
import {
  AppointmentType,
  CalendarDate,
  FACILITY_REQUIRED,
  FacilityCode,
  FacilityId,
  Instant,
  isFacilityGiven,
  Name,
  TimeOfDay,
} from '../schemas'
import { appointmentSteps } from '../visits/rules/appointment-steps'
import { Quantity } from './rules/load-fields'
import {
  EQUIPMENT_ID_MISMATCH,
  equipmentAlias,
  hasOneEquipmentId,
  loadRequest,
  shownAlias,
  shownLoad,
  shownPlacing,
  undocumentedIn,
} from './rules/load-schemas'
import { MAX_REFERENCES, parseReference } from './rules/references'
import { SLOT_ID, START_TIME } from './rules/requested-slot'

export const AppointmentId = z.guid().toLowerCase().describe('Appointment ID')

export const AppointmentStatus = z.enum(appointmentStatuses)

export const AppointmentStep = z
  .enum(appointmentSteps)
  .nullable()
  .describe('The last step of the truck, beside the status; null before it arrives')

/** Compared exactly, case included. */
export const ReferenceNumber = Text.min(1).max(200)

export const ShownReference = z.object({ number: z.string(), pallets: z.int().nullable(), pieces: z.int().nullable() })

/** A text such as `PO-2=10/200` is accepted too, as flags and tables have it. */
export const References = z
  .array(
    z.preprocess(
      (given) => (typeof given === 'string' ? parseReference(given) : given),
      z.strictObject({
        number: ReferenceNumber,
        pallets: Quantity.nullable().default(null),
        pieces: Quantity.nullable().default(null),
      }),
    ),
  )
  .max(MAX_REFERENCES)
  .describe(
    'All references of the load with their own pallets and pieces, such as PO-2=10/200; referenceNumber is the first one',
  )

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
  references: z
    .array(ShownReference)
    .describe('All references of the load with their own pallets and pieces; referenceNumber is the first one'),
  status: AppointmentStatus,
  durationMinutes: z.int(),
  ...shownLoad,
  ...shownAlias,
  step: AppointmentStep,
})

export type Appointment = z.infer<typeof Appointment>

/** The fields of an appointment in each documented response. */
export const BookedAppointment = Appointment.omit({ ...undocumentedIn('booking'), references: true, step: true })

export const MovedAppointment = Appointment.omit({
  ...undocumentedIn('move'),
  references: true,
  trailerId: true,
  facilityId: true,
  facilityName: true,
  facilityCode: true,
  step: true,
})

/** An appointment in a list. */
export const ListedAppointment = Appointment.extend({
  timeZone: z.string().describe('IANA time zone of the facility'),
  pinned: z.boolean().describe('Whether it stays at its door when room is made for other appointments'),
  sequence: z.int().describe('Number of changes since it was booked'),
  updatedAt: z.string().describe('When it was booked or last changed'),
})

export type ListedAppointment = z.infer<typeof ListedAppointment>

export const SlotHold = z.object({
  id: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  facilityCode: z.string(),
  timeZone: z.string().describe('IANA time zone of the facility'),
  doorId: z.string(),
  doorName: z.string(),
  type: AppointmentType,
  startTime: Instant,
  endTime: Instant,
  durationMinutes: z.int(),
  carrierName: z.string().nullable().describe('For whom the slot is held'),
  ...shownPlacing,
  expiresAt: Instant.describe('When the slot is free again, unless it is booked before'),
})

export type SlotHold = z.infer<typeof SlotHold>

export const SlotHoldId = z.guid().toLowerCase().describe('Hold ID')

export const bookingFields = {
  facilityId: FacilityId.nullish(),
  facilityCode: FacilityCode.nullish(),
  type: AppointmentType.describe('Whether the load is picked up or delivered'),
  carrierName: Text.min(1).max(200).describe('Carrier company name'),
  referenceNumber: ReferenceNumber.describe('PO, BOL or shipment reference'),
  references: References.nullish(),
  targetDate: CalendarDate.nullish().describe('Preferred date at the facility; required unless a start time is given'),
  durationMinutes: DurationMinutes.nullish().describe('Length in minutes, regardless of the load'),
  ...loadRequest,
  ...equipmentAlias,
}

export const SlotId = z.string().regex(SLOT_ID, 'must be the slotId of a free slot')

/** A time of the form `START_TIME`. */
export const TimeAtFacility = Text.regex(
  START_TIME,
  'must be a time such as 06:30, 2027-03-01T06:30 or 2027-03-01T06:30:00-06:00',
)

/** Where and when an appointment may be. */
export const placeFields = {
  startTime: TimeAtFacility.nullish().describe(
    'The only accepted start: a time on the date, a date and time at the facility, or an instant with its offset',
  ),
  doorId: Name.nullish().describe('The only accepted door: its ID, or its name'),
  notBefore: TimeOfDay.nullish().describe('Earliest start on each date, such as 08:00'),
  notAfter: TimeOfDay.nullish().describe('Latest start on each date, such as 11:00'),
  slotId: SlotId.nullish().describe('The slotId of a free slot, instead of a start, a door and a length'),
}

interface PlaceChoice {
  targetDate?: string | null
  startTime?: string | null
  doorId?: string | null
  notBefore?: string | null
  notAfter?: string | null
  slotId?: string | null
  durationMinutes?: number | null
}

/** Adds the checks of a place to a schema that has a target date and these fields. */
export function checkPlace<Schema extends z.ZodType<PlaceChoice>>(schema: Schema): Schema {
  const isDateGiven = ({ targetDate, startTime, slotId }: PlaceChoice) => (targetDate ?? startTime ?? slotId) != null
  const isOneStart = ({ startTime, notBefore, notAfter }: PlaceChoice) =>
    startTime == null || (notBefore == null && notAfter == null)
  const isOneSlot = ({ slotId, startTime, doorId, notBefore, notAfter, durationMinutes }: PlaceChoice) =>
    slotId == null || (startTime ?? doorId ?? notBefore ?? notAfter ?? durationMinutes) == null
  const isWindow = ({ notBefore, notAfter }: PlaceChoice) => !notBefore || !notAfter || notBefore <= notAfter
  return schema
    .refine(isDateGiven, {
      path: ['targetDate'],
      message: 'is required unless a start time is given',
      when: () => true,
    })
    .refine(isOneStart, { path: ['startTime'], message: 'cannot be combined with notBefore or notAfter' })
    .refine(isOneSlot, { path: ['slotId'], message: 'cannot be combined with a start, a door, hours or a length' })
    .refine(isWindow, { path: ['notAfter'], message: 'must not be before notBefore' })
}

/** Why an appointment is cancelled or moved, or why a truck was not served. */
export const Reason = Text.max(200).nullish().describe('Why: one of the reasons of the facility, if it lists some')

/** When a step of a truck happened, and a note about it. */
export const stepFields = {
  at: TimeAtFacility.nullish().describe(
    'When it happened, if that was earlier: a time of today, a date and time at the facility, or an instant',
  ),
  note: Text.min(1).max(1000).nullish().describe('Note for the history'),
}

export const earlyField = {
  early: z.boolean().default(false).describe('Accept a truck more than 24 hours before the start of its appointment'),
}

const roomFields = {
  makeRoom: z
    .boolean()
    .default(false)
    .describe(
      'If the wished time, or the date, has no free slot only because others are at the doors: move them to other doors, at their own times, as few as possible',
    ),
  dryRun: z.boolean().default(false).describe('Show the slot that it would get, and who would move; book nothing'),
}

/** An appointment that moved to another door. */
export const DoorMove = z.object({
  id: z.string().describe('Appointment ID'),
  referenceNumber: z.string(),
  fromDoor: z.string(),
  toDoor: z.string(),
})

/** A request to book an appointment. A null field counts as missing. */
export const Booking = checkPlace(z.strictObject({ ...bookingFields, ...placeFields, ...roomFields }))
  .refine(isFacilityGiven, FACILITY_REQUIRED)
  .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH)

export type Booking = z.output<typeof Booking>
