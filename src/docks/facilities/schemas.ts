import * as z from 'zod'
import { Features, Height, Quantity } from '../booking/rules/load-fields'
import { bookingFields } from '../booking/schemas'
import { Text } from '../rules/text'
import { toCanonicalTimeZone } from '../rules/zoned-time'
import {
  AppointmentType,
  CalendarDate,
  EndTime,
  FacilityCode,
  FacilityId,
  Instant,
  isFacilityId,
  Name,
  TimeOfDay,
} from '../schemas'
import {
  appointmentTypes,
  audiences,
  customFieldKinds,
  findContradictions,
  limitPeriods,
  MAX_APPOINTMENT_MINUTES,
  MAX_BLOCKED_TIMES,
  MAX_CLOSURES,
  reasonedChanges,
  roomPolicies,
  weekdays,
} from './rules/facility'

/** What a door can take. */
export const doorFeatures = {
  features: Features.describe('What the door can handle, such as reefer, hazmat, tail-lift, floor-loaded or flatbed'),
  maxHeight: Height.nullable().describe('Maximum trailer height in inches; null for any'),
}

export const DoorNames = z
  .array(Name)
  .min(1)
  .max(1000)
  .nullable()
  .default(null)
  .describe('Names of the doors; null for all')

const Minutes = z.int().min(1).max(MAX_APPOINTMENT_MINUTES)

const weekly = {
  days: z.array(z.enum(weekdays)).min(1).max(weekdays.length).describe('Days on which it starts'),
  start: TimeOfDay,
  end: EndTime.describe('An end at or before start is on the next day'),
  doors: DoorNames,
}

const AppointmentTypes = z.array(AppointmentType).min(1).max(appointmentTypes.length)

export const OperatingQueue = z.strictObject({
  name: Name.default('Operating hours'),
  ...weekly,
  types: AppointmentTypes.nullable().default(null).describe('Accepted types; null for both'),
})

export const Break = z.strictObject({ name: Name.default('Break'), ...weekly })

export const Closure = z.strictObject({
  from: CalendarDate,
  to: CalendarDate.describe('Last closed date'),
  reason: Text.max(200).nullable().default(null),
})

const UtcInstant = z.iso
  .datetime('must be a time in UTC such as 2027-03-01T12:00:00.000Z')
  .overwrite((text) => new Date(text).toISOString())

export const BlockedTime = z.strictObject({
  from: UtcInstant,
  to: UtcInstant.describe('End, not included'),
  doors: DoorNames,
  reason: Text.max(200).nullable().default(null),
})

const BookingLimit = z.strictObject({
  name: Name.default('Limit'),
  max: z.int().min(0).max(100_000),
  unit: z.enum(['appointments', 'pallets']).default('appointments'),
  per: z.enum(limitPeriods).describe('The clock hour or the date of the start, or every moment of the stay'),
  types: AppointmentTypes.nullable().default(null).describe('Counted types; null for both'),
  carriers: z
    .array(Text.min(1).max(200))
    .min(1)
    .max(1000)
    .nullable()
    .default(null)
    .describe('Counted carriers; null for all'),
  eachCarrier: z.boolean().default(false).describe('Count each carrier by itself'),
})

const LengthRule = z.strictObject({
  types: AppointmentTypes.nullable().default(null).describe('Types it applies to; null for both'),
  requirements: Features.default([]).describe('It applies to loads with all of these requirements'),
  maxPallets: Quantity.nullable().default(null).describe('It applies to loads of at most so many pallets'),
  maxPieces: Quantity.nullable().default(null).describe('It applies to loads of at most so many pieces'),
  minutes: z.int().min(0).max(MAX_APPOINTMENT_MINUTES),
  minutesPerPallet: z.number().min(0).max(MAX_APPOINTMENT_MINUTES).default(0),
  minutesPerPiece: z.number().min(0).max(MAX_APPOINTMENT_MINUTES).default(0),
})

const Cutoff = z.int().min(0).max(525_600)

export const DoorTypes = AppointmentTypes.describe('Accepted types')

export const NewDoor = z.strictObject({
  name: Name,
  types: DoorTypes.default(['pickup', 'delivery']),
  active: z.boolean().default(true),
  features: doorFeatures.features.default([]),
  maxHeight: doorFeatures.maxHeight.default(null),
})

export const Door = z.object({
  id: z.string(),
  name: z.string(),
  position: z.int().describe('If two doors could start at the same time, the one with the lower position is booked'),
  types: z.array(AppointmentType),
  active: z.boolean(),
  ...doorFeatures,
})

export const admissionFields = {
  daysAhead: z.int().min(0).max(3650).nullable().describe('How many days ahead it may book; null for any'),
  perDay: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .describe('Maximum number of its appointments and holds on a date; null for any'),
  changeCutoffMinutes: Cutoff.describe('It may change or move an appointment until this many minutes before the start'),
  cancelCutoffMinutes: Cutoff.describe('It may cancel or move an appointment until this many minutes before the start'),
  makeRoom: z
    .boolean()
    .describe('Its bookings may move appointments of others to other doors, as far as the facility makes room'),
}

const CarrierAdmission = z.strictObject({
  name: bookingFields.carrierName,
  daysAhead: admissionFields.daysAhead.default(null),
  perDay: admissionFields.perDay.default(null),
  changeCutoffMinutes: admissionFields.changeCutoffMinutes.default(0),
  cancelCutoffMinutes: admissionFields.cancelCutoffMinutes.default(0),
  makeRoom: admissionFields.makeRoom.default(false),
})

const CustomField = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,39}$/, 'must be a word of letters, digits, - and _, such as temperature')
    .describe('Its name in requests and answers'),
  label: Name.nullable().default(null).describe('What people read; null for the name'),
  kind: z.enum(customFieldKinds).default('text'),
  choices: z.array(Name).max(100).default([]).describe('The values of a choice'),
  required: z.boolean().default(false).describe('Whether a booking must have it'),
  types: AppointmentTypes.nullable().default(null).describe('Types of appointments that have it; null for both'),
  seenBy: z.enum(audiences).default('everyone').describe('With site, no carrier sees or sets it'),
})

const ReasonList = z.strictObject({
  change: z.enum(reasonedChanges),
  choices: z.array(Name).min(1).max(100).describe('The accepted reasons'),
  required: z.boolean().default(false).describe('Whether the change needs a reason'),
})

/** The fields of a facility that its owner sets. */
export const facilityFields = {
  code: Name.refine((code) => !isFacilityId(code), 'must not look like an ID').describe(
    "The tenant's own code of the facility, unique in the tenant",
  ),
  name: Name.describe('Name of the facility'),
  timeZone: z
    .string()
    .refine((name) => toCanonicalTimeZone(name) !== null, 'must be an IANA time zone such as America/Chicago')
    .overwrite((name) => toCanonicalTimeZone(name) ?? name)
    .describe('IANA time zone'),
  queues: z.array(OperatingQueue).min(1).max(100).describe('Weekly windows in which appointments can be booked'),
  breaks: z.array(Break).max(100).describe('Weekly hours that no appointment overlaps'),
  closures: z.array(Closure).max(MAX_CLOSURES).describe('Closed dates, such as holidays'),
  blockedTimes: z
    .array(BlockedTime)
    .max(MAX_BLOCKED_TIMES)
    .describe('Hours in which doors take no appointments, such as maintenance'),
  minMinutes: Minutes.describe('Shortest appointment, in minutes'),
  maxMinutes: Minutes.describe('Longest appointment, in minutes'),
  slotMinutes: Minutes.describe('Appointments start at multiples of this on the clock, counted from 00:00'),
  leadMinutes: z.int().min(0).max(525_600).describe('How many minutes before its start an appointment must be booked'),
  capacity: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .describe('Maximum number of concurrent appointments; the number of doors if missing or null'),
  bufferMinutes: z.int().min(0).max(MAX_APPOINTMENT_MINUTES).describe('Minutes between two appointments at a door'),
  limits: z
    .array(BookingLimit)
    .max(100)
    .describe('At most so many appointments or pallets per hour, per day or at once, such as the crews allow'),
  lengths: z
    .array(LengthRule)
    .max(100)
    .describe('Lengths by type, requirements, pallets and pieces. The first one that applies to a load counts'),
  advanceToNextOpenDay: z.boolean().describe('Book a later date if the requested one has no free slot'),
  defaultMinutes: Minutes.describe('Length of an appointment whose load sets none'),
  graceMinutes: z
    .int()
    .min(0)
    .max(MAX_APPOINTMENT_MINUTES)
    .describe('Grace period: a truck that arrives this many minutes before or after its start is on time'),
  reminderHours: z
    .int()
    .min(1)
    .max(720)
    .nullable()
    .describe(
      'How many hours before its start the contacts and webhooks are reminded of an appointment; null for never',
    ),
  truckFreeMinutes: z
    .int()
    .min(0)
    .max(10_080)
    .describe('Free time of a truck: minutes from its check-in, or from the start if that is later, before detention'),
  trailerFreeHours: z
    .int()
    .min(0)
    .max(8_760)
    .describe('Free time of a dropped trailer: hours from its arrival before detention'),
  makeRoom: z
    .enum(roomPolicies)
    .describe(
      'Whether other appointments move to other doors, at their own times, to make room for a booking: never; if the booking asks for it; or always, for every booking that would fail',
    ),
  moveAnnounced: z
    .boolean()
    .describe('Make room also with appointments whose contacts were sent a message that names their door'),
  carriers: z
    .array(CarrierAdmission)
    .max(1000)
    .describe('Carriers that may see and book their own appointments with their own keys, and their limits'),
  customFields: z.array(CustomField).max(100).describe('Fields that the facility adds to its appointments'),
  reasons: z
    .array(ReasonList)
    .max(reasonedChanges.length)
    .describe('The reasons that cancellations, moves, no-shows and trucks that are turned away may have'),
}

export const Facility = z.object({
  id: z.string(),
  ...facilityFields,
  code: z.string(),
  timeZone: z.string().describe('IANA time zone'),
  archivedAt: Instant.nullable().describe('When it was deleted; null if it was not'),
  doors: z.array(Door),
})

export type FacilityWithDoors = z.output<typeof Facility>

export const NewFacility = z
  .strictObject({
    ...facilityFields,
    breaks: facilityFields.breaks.default([]),
    closures: facilityFields.closures.default([]),
    blockedTimes: facilityFields.blockedTimes.default([]),
    minMinutes: facilityFields.minMinutes.default(15),
    maxMinutes: facilityFields.maxMinutes.default(240),
    slotMinutes: facilityFields.slotMinutes.default(15),
    leadMinutes: facilityFields.leadMinutes.default(0),
    bufferMinutes: facilityFields.bufferMinutes.default(0),
    limits: facilityFields.limits.default([]),
    lengths: facilityFields.lengths.default([]),
    carriers: facilityFields.carriers.default([]),
    customFields: facilityFields.customFields.default([]),
    reasons: facilityFields.reasons.default([]),
    capacity: facilityFields.capacity.default(null),
    advanceToNextOpenDay: facilityFields.advanceToNextOpenDay.default(true),
    graceMinutes: facilityFields.graceMinutes.default(30),
    reminderHours: facilityFields.reminderHours.default(null),
    truckFreeMinutes: facilityFields.truckFreeMinutes.default(120),
    trailerFreeHours: facilityFields.trailerFreeHours.default(48),
    makeRoom: facilityFields.makeRoom.default('never'),
    moveAnnounced: facilityFields.moveAnnounced.default(false),
    defaultMinutes: facilityFields.defaultMinutes
      .optional()
      .describe('Length of an appointment whose load sets none (default: 60, within the limits)'),
    doors: z.array(NewDoor).min(1).max(1000).describe('In order of preference: the first free one is booked'),
  })
  .superRefine((facility, context) => {
    for (const { path, message } of findContradictions(facility)) context.addIssue({ code: 'custom', path, message })
  })

/** Identifies a door by its facility and its name. */
export const doorInput = {
  facilityId: FacilityId.optional(),
  facilityCode: FacilityCode.optional(),
  name: Name.describe('Name of the door'),
}
