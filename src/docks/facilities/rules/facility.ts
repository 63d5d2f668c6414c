import { type DayNumber, MINUTE_MS } from '../../../kernel/time'

/** Times of day are `HH:MM` on the facility's wall clock; dates are `YYYY-MM-DD` there. */

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

export const appointmentTypes = ['pickup', 'delivery'] as const
export type AppointmentType = (typeof appointmentTypes)[number]

export const appointmentStatuses = ['scheduled', 'completed', 'cancelled'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

/** The longest appointment of any facility. It bounds how far back a query looks for appointments that overlap a span. */
export const MAX_APPOINTMENT_MINUTES = 24 * 60
export const MAX_APPOINTMENT_MS = MAX_APPOINTMENT_MINUTES * MINUTE_MS

/** The days on which it starts, and its hours. An `end` at or before `start` is on the next day. */
export interface WeeklyHours {
  name: string
  days: Weekday[]
  start: string
  end: string
  /** Names of the doors that it applies to; null for all. */
  doors: string[] | null
}

/** A window in which appointments can be booked. */
export interface OperatingQueue extends WeeklyHours {
  /** Accepted types; null for all. */
  types: AppointmentType[] | null
}

/** Both dates included. */
export interface Closure {
  from: string
  to: string
  reason: string | null
}

/** Hours in which doors take no appointments, such as maintenance. */
export interface BlockedTime {
  /** ISO 8601 UTC */
  from: string
  to: string
  /** Names of the doors; null for all. */
  doors: string[] | null
  reason: string | null
}

export const limitPeriods = ['hour', 'day', 'moment'] as const

/** At most so many appointments or pallets in an hour or a day, or at once, such as the forklifts allow. */
export interface BookingLimit {
  name: string
  max: number
  unit: 'appointments' | 'pallets'
  /** The clock hour or the date of the start, or every moment of the stay. */
  per: (typeof limitPeriods)[number]
  /** Counted types; null for both. */
  types: AppointmentType[] | null
  /** Names of the counted carriers; null for all. */
  carriers: string[] | null
  /** Whether each carrier is counted by itself. */
  eachCarrier: boolean
}

/** How long loads stay. Loads without a number of pallets or pieces are none of those that it counts. */
export interface LengthRule {
  /** Null for both. */
  types: AppointmentType[] | null
  /** Requirements that the load has all of. */
  requirements: string[]
  /** Null for any number. */
  maxPallets: number | null
  maxPieces: number | null
  minutes: number
  minutesPerPallet: number
  minutesPerPiece: number
}

/** Whether appointments move to other doors to make room for a booking: only if it asks for that, or for every one that would fail. */
export const roomPolicies = ['never', 'ask', 'always'] as const
export type RoomPolicy = (typeof roomPolicies)[number]

export const customFieldKinds = ['text', 'number', 'choice'] as const
export const audiences = ['everyone', 'site'] as const

/** A field that a facility adds to its appointments. */
export interface CustomField {
  /** Letters, digits, `-` and `_`. */
  name: string
  /** What people read; null for the name. */
  label: string | null
  kind: (typeof customFieldKinds)[number]
  /** Of a choice; empty for the other kinds. */
  choices: string[]
  required: boolean
  /** The types of appointments that have it; null for both. */
  types: AppointmentType[] | null
  /** `site`: no carrier sees or sets it. */
  seenBy: (typeof audiences)[number]
}

/** The changes of an appointment for which a facility may ask the reason. */
export const reasonedChanges = ['cancelled', 'rescheduled', 'no_show', 'turned_away'] as const
export type ReasonedChange = (typeof reasonedChanges)[number]

/** The reasons that a facility accepts for a change. */
export interface ChangeReasons {
  change: ReasonedChange
  choices: string[]
  required: boolean
}

/** What a carrier may do with its own key. */
export interface CarrierAdmission {
  name: string
  /** How many days ahead it may book; null for any. */
  daysAhead: number | null
  /** Maximum number of its appointments and holds on a date; null for any. */
  perDay: number | null
  /** How many minutes before its start an appointment can still be changed. */
  changeCutoffMinutes: number
  /** How many minutes before its start an appointment can still be cancelled. */
  cancelCutoffMinutes: number
  /** Whether its bookings may move other appointments to other doors, as far as the facility makes room. */
  makeRoom: boolean
}

export interface Door {
  id: string
  name: string
  /** If two doors could start at the same time, the one with the lower position is booked. */
  position: number
  types: AppointmentType[]
  active: boolean
  /** What it can handle beside ordinary loads, such as `reefer`. */
  features: string[]
  /** Of a trailer, in inches; null for any. */
  maxHeight: number | null
}

export interface FacilityRules {
  /** IANA name. */
  timeZone: string
  queues: OperatingQueue[]
  breaks: WeeklyHours[]
  closures: Closure[]
  blockedTimes: BlockedTime[]
  minMinutes: number
  maxMinutes: number
  defaultMinutes: number
  /** Appointments start at multiples of this on the wall clock, counted from 00:00. */
  slotMinutes: number
  /** How many minutes before its start an appointment must be booked. */
  leadMinutes: number
  /** Minutes between two appointments at a door. */
  bufferMinutes: number
  limits: BookingLimit[]
  /** The first one that applies to a load sets its length. */
  lengths: LengthRule[]
  /** Maximum number of concurrent appointments at all doors; null for the number of doors. */
  capacity: number | null
  advanceToNextOpenDay: boolean
}

export interface Facility extends FacilityRules {
  id: string
  code: string
  name: string
  /** How many minutes before or after its start a truck arrives on time. */
  graceMinutes: number
  /** How many hours before its start people are reminded of an appointment; null for never. */
  reminderHours: number | null
  /** How many minutes from its check-in, or from the start if that is later, a truck stays without detention. */
  truckFreeMinutes: number
  /** How many hours a dropped trailer stays without detention. */
  trailerFreeHours: number
  makeRoom: RoomPolicy
  /** Whether room is also made with appointments whose door was announced to their contacts. */
  moveAnnounced: boolean
  /** The fields that it adds to its appointments. */
  customFields: CustomField[]
  /** The reasons that it accepts for changes of appointments. */
  reasons: ChangeReasons[]
  /** The carriers whose keys can book there. */
  carriers: CarrierAdmission[]
  /** Whether an endpoint checks bookings before they are made. Not known for a facility that is being changed. */
  isChecked?: boolean
  /** The admission of the caller, if it is a carrier; `lastDay` is the last date that it may book. */
  caller?: CarrierAdmission & { lastDay: DayNumber }
  /** When it was deleted, ISO 8601 UTC; null if it was not. */
  archivedAt: string | null
}

/** The name of a facility in a suggested call: its code, or its ID if a shell could misread the code. */
export function nameFacility({ id, code }: Pick<Facility, 'id' | 'code'>): string {
  return isSafeInShell(code) ? code : id
}

/** The same as the input field of a suggested call. */
export function chooseFacility({ id, code }: Pick<Facility, 'id' | 'code'>): Record<string, string> {
  return isSafeInShell(code) ? { facilityCode: code } : { facilityId: id }
}

function isSafeInShell(code: string): boolean {
  return !/[\p{Cc}"$`\\!]|^-/u.test(code)
}

export interface FacilityChoice {
  facilityId?: string | null
  facilityCode?: string | null
}

/** Inserts or moves a door to a position, counted from 1, and renumbers all doors. A position past the end is the end. */
export function insertDoorAt(doors: readonly Door[], door: Door, position: number): Door[] {
  const others = doors.filter(({ id }) => id !== door.id)
  return numberDoors([...others.slice(0, position - 1), door, ...others.slice(position - 1)])
}

/** Gives the doors the positions 1, 2, 3… in their order. */
export function numberDoors(doors: readonly Door[]): Door[] {
  return doors.map((door, index) => ({ ...door, position: index + 1 }))
}

/** Renames a door, also in the hours that refer to it. */
export function renameDoor<
  Facility extends Pick<FacilityRules, 'queues' | 'breaks' | 'blockedTimes'> & { doors: Door[] },
>(facility: Facility, name: string, newName: string): Facility {
  if (newName === name) return facility
  const renamed = <Hours extends { doors: string[] | null }>(hours: Hours): Hours => ({
    ...hours,
    doors: hours.doors?.map((door) => (door === name ? newName : door)) ?? null,
  })
  return {
    ...facility,
    queues: facility.queues.map(renamed),
    breaks: facility.breaks.map(renamed),
    blockedTimes: facility.blockedTimes.map(renamed),
    doors: facility.doors.map((door) => (door.name === name ? { ...door, name: newName } : door)),
  }
}

/** The parts of a facility that must be consistent. */
interface FacilityDraft extends Pick<FacilityRules, 'minMinutes' | 'maxMinutes'> {
  defaultMinutes?: number
  queues: WeeklyHours[]
  breaks: WeeklyHours[]
  closures: Closure[]
  blockedTimes: BlockedTime[]
  doors: { name: string }[]
  carriers: { name: string }[]
  customFields: Pick<CustomField, 'name' | 'kind' | 'choices'>[]
  reasons: Pick<ChangeReasons, 'change'>[]
}

export const MAX_CLOSURES = 1000
export const MAX_BLOCKED_TIMES = 1000

interface Contradiction {
  path: (string | number)[]
  message: string
}

/** The inconsistencies of a facility; empty for a valid one. */
export function findContradictions(facility: FacilityDraft): Contradiction[] {
  return [
    ...checkLimits(facility),
    ...checkNames('doors', facility),
    ...checkNames('carriers', facility),
    ...checkNames('customFields', facility),
    ...checkChoices(facility),
    ...checkReasons(facility),
    ...checkDoorReferences('queues', facility),
    ...checkDoorReferences('breaks', facility),
    ...checkDoorReferences('blockedTimes', facility),
    ...checkCount('closures', facility, MAX_CLOSURES),
    ...checkCount('blockedTimes', facility, MAX_BLOCKED_TIMES),
    ...facility.closures.flatMap(({ from, to }, index) =>
      from <= to ? [] : [{ path: ['closures', index, 'to'], message: `must not be before ${from}` }],
    ),
    ...facility.blockedTimes.flatMap(({ from, to }, index) =>
      from < to ? [] : [{ path: ['blockedTimes', index, 'to'], message: `must be after ${from}` }],
    ),
  ]
}

function checkLimits({ minMinutes, maxMinutes, defaultMinutes }: FacilityDraft): Contradiction[] {
  if (maxMinutes < minMinutes) return [{ path: ['maxMinutes'], message: `must be at least minMinutes, ${minMinutes}` }]
  if (defaultMinutes === undefined || (minMinutes <= defaultMinutes && defaultMinutes <= maxMinutes)) return []
  return [{ path: ['defaultMinutes'], message: `must be between ${minMinutes} and ${maxMinutes}` }]
}

function checkCount(field: 'closures' | 'blockedTimes', facility: FacilityDraft, max: number): Contradiction[] {
  const { length } = facility[field]
  return length <= max ? [] : [{ path: [field], message: `must be at most ${max}, not ${length}` }]
}

function checkChoices({ customFields }: FacilityDraft): Contradiction[] {
  return customFields.flatMap(({ kind, choices }, index) =>
    (kind === 'choice') === choices.length > 0
      ? []
      : [
          {
            path: ['customFields', index, 'choices'],
            message: kind === 'choice' ? 'must have the values of the choice' : `must be empty for a ${kind}`,
          },
        ],
  )
}

function checkReasons({ reasons }: FacilityDraft): Contradiction[] {
  return reasons.flatMap(({ change }, index) =>
    reasons.findIndex((entry) => entry.change === change) === index
      ? []
      : [{ path: ['reasons', index, 'change'], message: `there is another list for ${change}` }],
  )
}

const nouns = { doors: 'door', carriers: 'carrier', customFields: 'field' } as const

function checkNames(field: keyof typeof nouns, facility: FacilityDraft): Contradiction[] {
  const names = facility[field].map(({ name }) => name)
  const first = new Map(names.map((name, index) => [name, index] as const).reverse())
  const what = nouns[field]
  return names.flatMap((name, index) =>
    first.get(name) === index
      ? []
      : [{ path: [field, index, 'name'], message: `another ${what} has the name ${name}` }],
  )
}

function checkDoorReferences(field: 'queues' | 'breaks' | 'blockedTimes', facility: FacilityDraft): Contradiction[] {
  const known = new Set(facility.doors.map((door) => door.name))
  return facility[field].flatMap(({ doors }, index) =>
    (doors ?? []).flatMap((name, position) =>
      known.has(name) ? [] : [{ path: [field, index, 'doors', position], message: `there is no door ${name}` }],
    ),
  )
}
