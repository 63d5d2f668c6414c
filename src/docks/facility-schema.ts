import * as z from 'zod'
import { MAX_APPOINTMENT_MINUTES, weekdays } from './rules/facility'
import { findContradictions, MAX_CLOSURES } from './rules/validate-facility'
import { toCanonicalTimeZone } from './rules/zoned-time'
import { AppointmentType, CalendarDate, Text } from './schemas'
import { isFacilityId } from './services/facility-flag'

/** The record of a facility and its doors as every surface shows and takes it. */

export const Name = Text.min(1).max(100)
const clock = '([01]\\d|2[0-3]):[0-5]\\d'
const StartTime = z.string().regex(new RegExp(`^${clock}$`), 'must be a time of day, as 06:00')
const EndTime = z
  .string()
  .regex(new RegExp(`^(${clock}|24:00)$`), 'must be a time of day, as 18:00')
  .overwrite((time) => (time === '24:00' ? '00:00' : time))
const DoorNames = z.array(Name).min(1).max(1000).nullable().default(null).describe('Names of the doors; null for all')
const Minutes = z.int().min(1).max(MAX_APPOINTMENT_MINUTES)

const weekly = {
  days: z.array(z.enum(weekdays)).min(1).describe('The days on which it starts'),
  start: StartTime,
  end: EndTime.describe('At or before start: on the next day'),
  doors: DoorNames,
}

export const OperatingQueue = z.strictObject({
  name: Name.default('Operating hours'),
  ...weekly,
  types: z.array(AppointmentType).min(1).nullable().default(null).describe('What it takes; null for both'),
})

export const Break = z.strictObject({ name: Name.default('Break'), ...weekly })

export const Closure = z.strictObject({
  from: CalendarDate,
  to: CalendarDate.describe('The last date that is closed'),
  reason: Text.max(200).nullable().default(null),
})

export const DoorTypes = z.array(AppointmentType).min(1).describe('What it takes')

export const NewDoor = z.strictObject({
  name: Name,
  types: DoorTypes.default(['pickup', 'delivery']),
  active: z.boolean().default(true),
})

export const Door = z.object({
  id: z.string(),
  name: z.string(),
  position: z.int().describe('Which door wins when two could start at the same time: the lower'),
  types: z.array(AppointmentType),
  active: z.boolean(),
})

/** The fields of a facility that its owner decides. */
export const facilityFields = {
  code: Name.refine((code) => !isFacilityId(code), 'must not look like an ID').describe(
    "The tenant's own code of the facility, unique in the tenant",
  ),
  name: Name.describe('Name of the facility'),
  timeZone: z
    .string()
    .refine((name) => toCanonicalTimeZone(name) !== null, 'must be an IANA time zone, as America/Chicago')
    .overwrite((name) => toCanonicalTimeZone(name) ?? name)
    .describe('IANA time zone'),
  queues: z.array(OperatingQueue).min(1).max(100).describe('Weekly windows in which appointments are taken'),
  breaks: z.array(Break).max(100).describe('Weekly hours that no appointment overlaps'),
  closures: z.array(Closure).max(MAX_CLOSURES).describe('Dates that are closed, for holidays'),
  minMinutes: Minutes.describe('Shortest appointment, in minutes'),
  maxMinutes: Minutes.describe('Longest appointment, in minutes'),
  slotMinutes: Minutes.describe('Starts stand at multiples of it on the clock, counted from 00:00'),
  leadMinutes: z.int().min(0).max(525_600).describe('How long before its start one must book'),
  capacity: z
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .describe('Most appointments at one time; absent or null: as many as doors'),
  advanceToNextOpenDay: z.boolean().describe('Book a later date when the one asked for has no slot'),
  defaultMinutes: Minutes.describe('Length where neither pallets nor minutes are given'),
}

export const Facility = z.object({
  id: z.string(),
  ...facilityFields,
  code: z.string(),
  timeZone: z.string().describe('IANA time zone'),
  doors: z.array(Door),
})
export type FacilityWithDoors = z.output<typeof Facility>

export const NewFacility = z
  .strictObject({
    ...facilityFields,
    breaks: facilityFields.breaks.default([]),
    closures: facilityFields.closures.default([]),
    minMinutes: facilityFields.minMinutes.default(15),
    maxMinutes: facilityFields.maxMinutes.default(240),
    slotMinutes: facilityFields.slotMinutes.default(15),
    leadMinutes: facilityFields.leadMinutes.default(0),
    capacity: facilityFields.capacity.default(null),
    advanceToNextOpenDay: facilityFields.advanceToNextOpenDay.default(true),
    defaultMinutes: facilityFields.defaultMinutes
      .optional()
      .describe('Length where none is given: 60, held within the limits'),
    doors: z.array(NewDoor).min(1).max(1000).describe('By position: of two that are free the first is taken'),
  })
  .superRefine((facility, context) => {
    for (const { path, message } of findContradictions(facility)) context.addIssue({ code: 'custom', path, message })
  })
