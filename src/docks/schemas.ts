import * as z from 'zod'
import { Features, Height, Quantity } from './booking/rules/load-fields'
import {
  EQUIPMENT_ID_MISMATCH,
  equipmentAlias,
  hasOneEquipmentId,
  loadRequest,
  shownAlias,
  shownLoad,
  shownPlacing,
  shownWaiting,
  undocumentedIn,
} from './booking/rules/load-schemas'
import { SLOT_ID, START_TIME } from './booking/rules/requested-slot'
import {
  appointmentStatuses,
  appointmentTypes,
  type FacilityChoice,
  findContradictions,
  limitPeriods,
  MAX_APPOINTMENT_MINUTES,
  MAX_BLOCKED_TIMES,
  MAX_CLOSURES,
  weekdays,
} from './facilities/rules/facility'
import { Text } from './rules/text'
import { toCanonicalTimeZone } from './rules/zoned-time'
import { holidayPolicies, occurrenceOutcomes } from './series/rules/series-dates'
import { appointmentSteps } from './visits/rules/appointment-steps'

export const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

export const AppointmentId = z.guid().toLowerCase().describe('Appointment ID')
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
export const AppointmentStatus = z.enum(appointmentStatuses)
export const AppointmentStep = z
  .enum(appointmentSteps)
  .nullable()
  .describe('The last step of the truck, beside the status; null before it arrives')

/** A date on the facility's calendar. */
export const CalendarDate = z.iso.date('must be an existing date in the form YYYY-MM-DD')

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
  durationMinutes: z.int(),
  ...shownLoad,
  ...shownAlias,
  step: AppointmentStep,
})
export type Appointment = z.infer<typeof Appointment>

/** The fields of an appointment in each documented response. */
export const BookedAppointment = Appointment.omit({ ...undocumentedIn('booking'), step: true })
export const MovedAppointment = Appointment.omit({
  ...undocumentedIn('move'),
  trailerId: true,
  facilityId: true,
  facilityName: true,
  facilityCode: true,
  step: true,
})

/** An appointment in a list. */
export const ListedAppointment = Appointment.extend({
  timeZone: z.string().describe('IANA time zone of the facility'),
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

/** The response of a successful write. */
export const Success = z.object({ status: z.literal('success'), message: z.string() })

export const Name = Text.min(1).max(100)
const clock = '([01]\\d|2[0-3]):[0-5]\\d'
export const TimeOfDay = z.string().regex(new RegExp(`^${clock}$`), 'must be a time of day such as 06:00')

/** What a door can take. */
export const doorFeatures = {
  features: Features.describe('What it can handle, such as reefer, hazmat, tail-lift, floor-loaded or flatbed'),
  maxHeight: Height.nullable().describe('Highest trailer in inches; null for any'),
}

export const bookingFields = {
  facilityId: FacilityId.nullish(),
  facilityCode: FacilityCode.nullish(),
  type: AppointmentType.describe('Whether the load is picked up or delivered'),
  carrierName: Text.min(1).max(200).describe('Carrier company name'),
  referenceNumber: ReferenceNumber.describe('PO, BOL or shipment reference'),
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
  slotId: SlotId.nullish().describe('A slot of the availability, instead of a start, a door and a length'),
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

/** When a step of a truck happened, and a note about it. */
export const stepFields = {
  at: TimeAtFacility.nullish().describe(
    'When it happened, if that was earlier: a time of today, a date and time at the facility, or an instant',
  ),
  note: Text.min(1).max(1000).nullish().describe('Note for the history'),
}

/** A request to book an appointment. A null field counts as missing. */
export const Booking = checkPlace(z.strictObject({ ...bookingFields, ...placeFields }))
  .refine(isFacilityGiven, FACILITY_REQUIRED)
  .refine(hasOneEquipmentId, EQUIPMENT_ID_MISMATCH)
export type Booking = z.output<typeof Booking>

export const EndTime = z
  .string()
  .regex(new RegExp(`^(${clock}|24:00)$`), 'must be a time of day such as 18:00')
  .overwrite((time) => (time === '24:00' ? '00:00' : time))
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
  changeCutoffMinutes: Cutoff.describe('It may change an appointment until this many minutes before the start'),
  cancelCutoffMinutes: Cutoff.describe('It may cancel an appointment until this many minutes before the start'),
}

const CarrierAdmission = z.strictObject({
  name: bookingFields.carrierName,
  daysAhead: admissionFields.daysAhead.default(null),
  perDay: admissionFields.perDay.default(null),
  changeCutoffMinutes: admissionFields.changeCutoffMinutes.default(0),
  cancelCutoffMinutes: admissionFields.cancelCutoffMinutes.default(0),
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
  defaultMinutes: Minutes.describe('Length if neither pallets nor minutes are given'),
  graceMinutes: z
    .int()
    .min(0)
    .max(MAX_APPOINTMENT_MINUTES)
    .describe('Grace period: a truck that arrives this many minutes before or after its start is on time'),
  carriers: z
    .array(CarrierAdmission)
    .max(1000)
    .describe('Carriers that may see and book their own appointments with their own keys, and their limits'),
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
    capacity: facilityFields.capacity.default(null),
    advanceToNextOpenDay: facilityFields.advanceToNextOpenDay.default(true),
    graceMinutes: facilityFields.graceMinutes.default(30),
    defaultMinutes: facilityFields.defaultMinutes.optional().describe('Length if none is given: 60, within the limits'),
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

export function isFacilityGiven({ facilityId, facilityCode }: FacilityChoice): boolean {
  return facilityId != null || facilityCode != null
}

export const SeriesId = z.guid().toLowerCase().describe('Series ID')

/** The fields of a series that its owner can change. */
export const seriesFields = {
  carrierName: bookingFields.carrierName,
  lane: Text.min(1).max(200).nullish().describe('Where the loads come from or go to, such as Dallas-Memphis'),
  days: z.array(z.enum(weekdays)).min(1).max(7).describe('Weekdays at the facility'),
  everyWeeks: z
    .int()
    .min(1)
    .max(8)
    .describe('1 for every week, 2 for every other week, counted from the week of the first date'),
  startTime: TimeOfDay.describe('Start on the clock of the facility, such as 09:00'),
  doorId: Name.nullish().describe('The only accepted door: its ID, or its name'),
  lastDate: CalendarDate.nullish().describe('The last date; without it the series does not end'),
  holidayPolicy: z.enum(holidayPolicies).describe('On a closed date: no appointment, or one on the next open day'),
  aheadDays: z.int().min(1).max(366).describe('How many days ahead appointments are booked'),
  durationMinutes: bookingFields.durationMinutes,
  ...loadRequest,
}

export const Series = z.object({
  id: z.string(),
  facilityId: z.string(),
  facilityCode: z.string(),
  timeZone: z.string(),
  type: AppointmentType,
  referencePrefix: z.string(),
  firstDate: z.string(),
  ...seriesFields,
  lane: z.string().nullable(),
  doorId: z.string().nullable(),
  lastDate: z.string().nullable(),
  durationMinutes: z.int().nullable(),
  ...shownWaiting,
})

/** A date of a series and its appointment as it is now. */
export const Occurrence = z.object({
  date: z.string(),
  outcome: z
    .enum(occurrenceOutcomes)
    .describe(
      'What became of the date: booked; closed: the facility is; skipped: on request; refused: there is no place, see reason',
    ),
  reason: z.string().nullable(),
  appointmentId: z.string().nullable(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  doorName: z.string().nullable(),
  status: AppointmentStatus.nullable(),
})

export const SeriesDetails = Series.extend({
  occurrences: z.array(Occurrence).describe('The dates from today on that were booked or tried'),
})

export type SeriesDetails = z.output<typeof SeriesDetails>

export const SeriesAnswer = Success.extend({ data: SeriesDetails })

export const WaitlistEntryId = z.guid().toLowerCase().describe('ID of the entry')

const waitRequest = {
  type: AppointmentType,
  carrierName: z.string(),
  referenceNumber: z.string(),
  targetDate: z.string(),
  lastDate: z.string(),
  notBefore: z.string().nullable(),
  notAfter: z.string().nullable(),
  doorId: z.string().nullable(),
  minutes: z.int().describe('Length of the appointment'),
  offerMinutes: z.int().describe('How long a slot is held for it'),
  ...shownWaiting,
}
const WaitRequest = z.object(waitRequest)
/** A booking that waits for a slot, as it is stored. */
export type WaitRequest = z.output<typeof WaitRequest>

export const ListedWaitlistEntry = z.object({
  id: z.string(),
  position: z.int().describe('Place in the order, from 1'),
  facilityId: z.string(),
  facilityCode: z.string(),
  timeZone: z.string(),
  ...waitRequest,
  createdAt: Instant,
  offer: z
    .object({
      holdId: z.string(),
      startTime: Instant,
      endTime: Instant,
      doorName: z.string(),
      expiresAt: Instant.describe('Accept it before'),
    })
    .nullable()
    .describe('The slot that is held for it; null while it waits'),
})
export type ListedWaitlistEntry = z.output<typeof ListedWaitlistEntry>

export const WebhookId = z.guid().toLowerCase().describe('Webhook ID')
const MailTarget = z
  .string()
  .startsWith('mailto:')
  .refine((url) => z.email().safeParse(url.slice('mailto:'.length)).success)
export const WebhookAddress = z
  .union([z.url({ protocol: /^https?$/ }), MailTarget], 'must be an https address, or mailto: and an e-mail address')
  .refine((url) => url.length <= 2_000, 'must have at most 2000 characters')
  .describe('Where the events go: an https address on the public Internet, or mailto:name@example.com')

const webhookFields = {
  id: z.string(),
  url: z.string(),
  facilityId: z.string().nullable().describe('Only events of this facility; null for all'),
  carrierName: z.string().nullable().describe('Only events of this carrier; null for all'),
  createdAt: Instant,
}

export const WebhookKey = z.object({
  ...webhookFields,
  secret: z.string().nullable().describe('Checks the signature of events. It is shown only now; null for e-mail'),
})

export const Webhook = z.object({
  ...webhookFields,
  pending: z.int().describe('Events that are not accepted yet'),
  dead: z.int().describe('Events that were given up after the last attempt'),
})
