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
