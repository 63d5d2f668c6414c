import { MINUTE_MS } from '../../kernel/time'
import type { ReadTx, WriteTx } from '../../storage'
import {
  findScheduledReference,
  insertAppointment,
  listBusySpans,
  loadSiteRecord,
  type NewAppointment,
} from '../queries'
import {
  computeEarliestStart,
  dateUnavailableError,
  duplicateReferenceError,
  noSlotError,
  requireFutureDay,
  resolveMinutes,
} from '../rules/booking-rules'
import type { DayNumber } from '../rules/calendar-date'
import type { AppointmentType, Door, Facility } from '../rules/facility'
import {
  type DayAvailability,
  type Search,
  type Slot,
  type SlotRequest,
  type SlotSearchResult,
  searchDay,
  searchSlot,
} from '../rules/slot-search'
import { type BusySpan, containsSpan, getFacilityCapacity, type Span } from '../rules/spans'
import { listDayParts } from '../rules/zoned-time'
import { presentAppointment } from './present-appointment'

/** The requested booking, without its facility. */
export interface BookingRequest {
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

/** The facility of a booking, locked by the transaction, and what is booked there. */
export interface BookingSite {
  tenantId: string
  facility: Facility
  /** All doors of the facility. */
  doors: readonly Door[]
  /** Whether the facility has a scheduled appointment with the reference. */
  hasScheduled(referenceNumber: string): Promise<boolean>
  busy(span: Span): Promise<readonly BusySpan[]>
}

/** The possible dates and the length of a booking, before other appointments are considered. */
export interface BookingPlan {
  firstDay: DayNumber
  lastDay: DayNumber
  minutes: number
  /** No start before this instant. */
  notBefore: number
}

interface PlacementOptions {
  now: number
  /** The ID of the new appointment. */
  id: string
  /** The doors that may be booked; all by default. */
  allowedDoors?: readonly Door[]
}

/** How many days after the target date a booking may roll over to. */
const ROLLOVER_DAYS = 30

/** Throws `date_in_past`, and `invalid` for a length outside of the facility's limits. `notBefore` defaults to now. */
export function planBooking(
  facility: Facility,
  booking: Pick<BookingRequest, 'targetDate' | 'durationMinutes' | 'palletCount'>,
  { now, notBefore = now }: { now: number; notBefore?: number },
): BookingPlan {
  const firstDay = requireFutureDay(facility, { path: 'targetDate', date: booking.targetDate }, now)
  return {
    firstDay,
    lastDay: facility.advanceToNextOpenDay ? firstDay + ROLLOVER_DAYS : firstDay,
    minutes: resolveMinutes(facility, booking),
    notBefore: Math.max(computeEarliestStart(facility, now), notBefore),
  }
}

/** Books the earliest free slot. Throws `duplicate_reference`, or the error for a date without a free slot. */
export async function bookEarliestSlot(
  tx: WriteTx,
  site: BookingSite,
  {
    booking,
    plan,
    now,
    id,
    allowedDoors = site.doors,
  }: { booking: BookingRequest; plan: BookingPlan } & PlacementOptions,
): Promise<NewAppointment> {
  const { facility, doors } = site
  await requireUnusedReference(tx, site, booking.referenceNumber)
  const request = {
    facility,
    capacity: getFacilityCapacity(facility, doors),
    doors: allowedDoors,
    type: booking.type,
    ...plan,
  }
  const found = await runSearch(searchSlot(request), site.busy)
  if (!found.slot) throw (facility.advanceToNextOpenDay ? noSlotError : dateUnavailableError)(facility, found.refusals)
  const appointment = buildAppointment(found.slot, facility, booking, id)
  await insertAppointment(tx, appointment, { tenantId: site.tenantId, createdAt: now })
  return appointment
}

async function requireUnusedReference(
  tx: WriteTx,
  { facility, hasScheduled }: BookingSite,
  referenceNumber: string,
): Promise<void> {
  if (!(await hasScheduled(referenceNumber))) return
  const existing = await findScheduledReference(tx, facility.id, referenceNumber)
  if (existing) throw duplicateReferenceError(referenceNumber, presentAppointment(existing))
}

function buildAppointment(slot: Slot, facility: Facility, booking: BookingRequest, id: string): NewAppointment {
  return {
    id,
    facilityId: facility.id,
    facilityName: facility.name,
    facilityCode: facility.code,
    doorId: slot.door.id,
    doorName: slot.door.name,
    type: booking.type,
    status: 'scheduled',
    startAt: slot.from,
    endAt: slot.to,
    carrierName: booking.carrierName,
    referenceNumber: booking.referenceNumber,
    palletCount: booking.palletCount ?? null,
    weight: booking.weight ?? null,
    loadDescription: booking.loadDescription ?? null,
    equipmentId: booking.equipmentId ?? booking.trailerId ?? null,
  }
}

/** The site of one booking. The busy spans of the target date are read at once, those of later dates when the search reaches them. */
export async function loadBookingSite(
  tx: WriteTx,
  { tenantId, facility }: { tenantId: string; facility: Facility },
  { plan, referenceNumber }: { plan: BookingPlan; referenceNumber: string },
): Promise<BookingSite> {
  const span = getFirstSearchSpan(facility, plan)
  const { doors, hasReference, busy } = await loadSiteRecord(tx, { facilityId: facility.id, referenceNumber, span })
  return {
    tenantId,
    facility,
    doors,
    hasScheduled: async () => hasReference,
    busy: async (needed) => (containsSpan(span, needed) ? busy : listBusySpans(tx, facility.id, needed, null)),
  }
}

/** The target date, extended to the latest end of an appointment that starts on it. */
function getFirstSearchSpan(facility: Facility, { firstDay, minutes, notBefore }: BookingPlan): Span {
  const parts = listDayParts(facility.timeZone, firstDay)
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return { from: 0, to: 0 } // the zone skips the date
  return { from: Math.max(first.from, notBefore), to: last.to + minutes * MINUTE_MS }
}

/** The earliest free slot. The time of the appointment `except` counts as free. */
export function findSlot(
  tx: ReadTx,
  facilityId: string,
  request: SlotRequest,
  except: string | null = null,
): Promise<SlotSearchResult> {
  return runSearch(searchSlot(request), (span) => listBusySpans(tx, facilityId, span, except))
}

/** All free slots of a date. */
export function findSlotsOnDay(
  tx: ReadTx,
  facilityId: string,
  request: Omit<SlotRequest, 'lastDay'>,
): Promise<DayAvailability> {
  return runSearch(searchDay(request), (span) => listBusySpans(tx, facilityId, span, null))
}

/** Runs a search to its end, and reads the busy spans that it needs. */
export async function runSearch<Result>(
  search: Search<Result>,
  read: (span: Span) => Promise<readonly BusySpan[]>,
): Promise<Result> {
  let step = search.next()
  while (!step.done) step = search.next(await read(step.value))
  return step.value
}
