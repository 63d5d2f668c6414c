import type { WriteTx } from '../storage'
import { answered } from './find-slot'
import { presentAppointment } from './present'
import { findScheduledReference, insertAppointment, type NewAppointment } from './queries'
import { appointmentMinutes } from './rules/appointment-length'
import { earliestStart, lastRolloverDay, targetDay } from './rules/booking-dates'
import type { DayNumber } from './rules/calendar-date'
import type { Slot } from './rules/date-search'
import type { AppointmentType, Door, Facility } from './rules/facility'
import { type BusySpan, placesOf } from './rules/occupancy'
import { dateRefused, duplicateReference, noSlot } from './rules/refusals'
import { searchSlot } from './rules/slot-search'
import type { Span } from './rules/spans'

/** A booking as it was asked for, its facility apart. */
export interface Wanted {
  type: AppointmentType
  carrierName: string
  referenceNumber: string
  targetDate: string
  palletCount?: number | null
  durationMinutes?: number | null
  weight?: number | null
  loadDescription?: string | null
  equipmentId?: string | null
  trailerId?: string | null
}

/** Where it is to be placed: a facility that the transaction holds, and what is taken there. */
export interface Site {
  tenantId: string
  facility: Facility
  /** All of the facility's. */
  doors: readonly Door[]
  /** Whether an appointment of the reference is scheduled there. */
  hasScheduled(referenceNumber: string): Promise<boolean>
  busy(span: Span): Promise<readonly BusySpan[]>
}

/** When a booking may be, and for how long; by the facility alone, whatever is taken. */
export interface BookingPlan {
  firstDay: DayNumber
  lastDay: DayNumber
  minutes: number
  /** No start before this instant. */
  notBefore: number
}

/** What a booking needs from its surroundings. */
interface Placing {
  now: number
  /** What the appointment will be called. */
  id: string
  /** The doors that it may have; all where absent. */
  among?: readonly Door[]
}

/** Throws `date_in_past` and `invalid` for a length that the facility does not take. `notBefore` is now where absent. */
export function planBooking(
  facility: Facility,
  wanted: Pick<Wanted, 'targetDate' | 'durationMinutes' | 'palletCount'>,
  { now, notBefore = now }: { now: number; notBefore?: number },
): BookingPlan {
  const firstDay = targetDay(facility, wanted.targetDate, now)
  return {
    firstDay,
    lastDay: lastRolloverDay(facility, firstDay),
    minutes: appointmentMinutes(facility, wanted),
    notBefore: Math.max(earliestStart(facility, now), notBefore),
  }
}

/** Books the earliest free slot. Throws what refuses it: a duplicate, or the want of a slot. */
export async function placeBooking(
  tx: WriteTx,
  site: Site,
  { wanted, plan, now, id, among = site.doors }: { wanted: Wanted; plan: BookingPlan } & Placing,
): Promise<NewAppointment> {
  const { facility, doors } = site
  await refuseDuplicate(tx, site, wanted.referenceNumber)
  const request = { facility, places: placesOf(facility, doors), doors: among, type: wanted.type, ...plan }
  const answer = await answered(searchSlot(request), site.busy)
  if (!answer.slot) throw (facility.advanceToNextOpenDay ? noSlot : dateRefused)(facility, answer.refusals)
  const appointment = appointmentIn(answer.slot, facility, wanted, id)
  await insertAppointment(tx, appointment, { tenantId: site.tenantId, createdAt: now })
  return appointment
}

async function refuseDuplicate(tx: WriteTx, { facility, hasScheduled }: Site, referenceNumber: string): Promise<void> {
  if (!(await hasScheduled(referenceNumber))) return
  const standing = await findScheduledReference(tx, facility.id, referenceNumber)
  if (standing) throw duplicateReference(referenceNumber, presentAppointment(standing))
}

function appointmentIn(slot: Slot, facility: Facility, wanted: Wanted, id: string): NewAppointment {
  return {
    id,
    facilityId: facility.id,
    facilityName: facility.name,
    facilityCode: facility.code,
    doorId: slot.door.id,
    doorName: slot.door.name,
    type: wanted.type,
    status: 'scheduled',
    startAt: slot.from,
    endAt: slot.to,
    carrierName: wanted.carrierName,
    referenceNumber: wanted.referenceNumber,
    palletCount: wanted.palletCount ?? null,
    weight: wanted.weight ?? null,
    loadDescription: wanted.loadDescription ?? null,
    equipmentId: wanted.equipmentId ?? wanted.trailerId ?? null,
  }
}
