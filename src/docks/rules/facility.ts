/** The nouns that the rules decide on. Times of day are `HH:MM` on the facility's wall clock; dates are `YYYY-MM-DD` there. */

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

export const appointmentTypes = ['pickup', 'delivery'] as const
export type AppointmentType = (typeof appointmentTypes)[number]

export const appointmentStatuses = ['scheduled', 'completed', 'cancelled'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

/** No appointment is longer, whatever the facility: it bounds how far back a query looks for what still occupies a door. */
export const MAX_APPOINTMENT_MINUTES = 24 * 60

/** The days on which it starts, and its wall clock hours; an `end` at or before `start` is on the next day. */
export interface WeeklyHours {
  name: string
  days: Weekday[]
  start: string
  end: string
  /** Names of the doors it holds for; null for all. */
  doors: string[] | null
}

/** A window in which appointments are taken. */
export interface OperatingQueue extends WeeklyHours {
  /** The types it takes; null for all. */
  types: AppointmentType[] | null
}

/** Both dates included. */
export interface Closure {
  from: string
  to: string
  reason: string | null
}

export interface Door {
  id: string
  name: string
  /** Which door wins when two could start at the same time: the lower. */
  position: number
  types: AppointmentType[]
  active: boolean
}

export interface FacilityRules {
  /** IANA name. */
  timeZone: string
  queues: OperatingQueue[]
  breaks: WeeklyHours[]
  closures: Closure[]
  minMinutes: number
  maxMinutes: number
  defaultMinutes: number
  /** Starts stand at multiples of it on the wall clock, counted from 00:00. */
  slotMinutes: number
  /** How long before its start an appointment must be booked. */
  leadMinutes: number
  /** Most appointments at one time over all doors; null: as many as doors. */
  capacity: number | null
  advanceToNextOpenDay: boolean
}

export interface Facility extends FacilityRules {
  id: string
  code: string
  name: string
}

/** What names a facility in a suggested call: its code, or its ID where a shell could take the code for something else. */
export function nameFacility({ id, code }: Pick<Facility, 'id' | 'code'>): string {
  return isSafeInShell(code) ? code : id
}

/** The same as fields of the input. */
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

/** Whether a caller has named the facility, by its ID or its code. */
export function isFacilityGiven(asked: { facilityId?: string | null; facilityCode?: string | null }): boolean {
  return asked.facilityId != null || asked.facilityCode != null
}

/** The doors with one at that place, counted from 1, and all of them numbered anew; past the end is the end. */
export function insertDoorAt(doors: readonly Door[], door: Door, position: number): Door[] {
  const others = doors.filter(({ id }) => id !== door.id)
  return numberDoors([...others.slice(0, position - 1), door, ...others.slice(position - 1)])
}

/** In the order in which they stand the doors get the positions 1, 2, 3… */
export function numberDoors(doors: readonly Door[]): Door[] {
  return doors.map((door, index) => ({ ...door, position: index + 1 }))
}

/** The facility with a door renamed, in the hours that name it too. */
export function renameDoor<Facility extends Pick<FacilityRules, 'queues' | 'breaks'> & { doors: Door[] }>(
  facility: Facility,
  name: string,
  newName: string,
): Facility {
  if (newName === name) return facility
  const renamed = <Hours extends WeeklyHours>(hours: Hours): Hours => ({
    ...hours,
    doors: hours.doors?.map((door) => (door === name ? newName : door)) ?? null,
  })
  return {
    ...facility,
    queues: facility.queues.map(renamed),
    breaks: facility.breaks.map(renamed),
    doors: facility.doors.map((door) => (door.name === name ? { ...door, name: newName } : door)),
  }
}

/** The parts of a facility that must fit each other. */
interface FacilityDraft extends Pick<FacilityRules, 'minMinutes' | 'maxMinutes'> {
  defaultMinutes?: number
  queues: WeeklyHours[]
  breaks: WeeklyHours[]
  closures: Closure[]
  doors: { name: string }[]
}

/** As many as a record takes; to close some dates, or to open some amid others, makes one more. */
export const MAX_CLOSURES = 1000

interface Contradiction {
  path: (string | number)[]
  message: string
}

/** What in a facility contradicts something else in it; empty for a sound one. */
export function findContradictions(facility: FacilityDraft): Contradiction[] {
  return [
    ...checkLimits(facility),
    ...checkDoorNames(facility),
    ...checkDoorReferences('queues', facility),
    ...checkDoorReferences('breaks', facility),
    ...checkClosureCount(facility),
    ...facility.closures.flatMap(({ from, to }, index) =>
      from <= to ? [] : [{ path: ['closures', index, 'to'], message: `must not be before ${from}` }],
    ),
  ]
}

function checkLimits({ minMinutes, maxMinutes, defaultMinutes }: FacilityDraft): Contradiction[] {
  if (maxMinutes < minMinutes) return [{ path: ['maxMinutes'], message: `must be at least minMinutes, ${minMinutes}` }]
  if (defaultMinutes === undefined || (minMinutes <= defaultMinutes && defaultMinutes <= maxMinutes)) return []
  return [{ path: ['defaultMinutes'], message: `must be within ${minMinutes}..${maxMinutes}` }]
}

function checkClosureCount({ closures }: FacilityDraft): Contradiction[] {
  if (closures.length <= MAX_CLOSURES) return []
  return [{ path: ['closures'], message: `must be at most ${MAX_CLOSURES}, not ${closures.length}` }]
}

function checkDoorNames({ doors }: FacilityDraft): Contradiction[] {
  const names = doors.map((door) => door.name)
  return names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [{ path: ['doors', index, 'name'], message: `${name} is there already` }],
  )
}

function checkDoorReferences(field: 'queues' | 'breaks', facility: FacilityDraft): Contradiction[] {
  const known = new Set(facility.doors.map((door) => door.name))
  return facility[field].flatMap(({ doors }, index) =>
    (doors ?? []).flatMap((name, place) =>
      known.has(name) ? [] : [{ path: [field, index, 'doors', place], message: `there is no door ${name}` }],
    ),
  )
}
