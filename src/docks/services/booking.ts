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
  dateUnavailableError,
  duplicateReferenceError,
  earliestStart,
  lastRolloverDay,
  noSlotError,
  requireTargetDay,
  resolveMinutes,
} from '../rules/booking-rules'
import type { DayNumber } from '../rules/calendar-date'
import type { AppointmentType, Door, Facility } from '../rules/facility'
import { type BusySpan, facilityCapacity } from '../rules/occupancy'
import type { Slot } from '../rules/slot-search'
import {
  type DayAvailability,
  type Search,
  type SlotRequest,
  type SlotSearchResult,
  searchDay,
  searchSlot,
} from '../rules/slot-search'
import { containsSpan, type Span } from '../rules/spans'
import { listDayParts } from '../rules/zoned-time'
import { presentAppointment } from './present-appointment'

/** A booking as it was asked for, its facility apart. */
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

/** Where it is to be placed: a facility that the transaction holds, and what is taken there. */
export interface BookingSite {
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
interface PlacementOptions {
  now: number
  /** What the appointment will be called. */
  id: string
  /** The doors that it may have; all where absent. */
  among?: readonly Door[]
}

/** Throws `date_in_past` and `invalid` for a length that the facility does not take. `notBefore` is now where absent. */
export function planBooking(
  facility: Facility,
  wanted: Pick<BookingRequest, 'targetDate' | 'durationMinutes' | 'palletCount'>,
  { now, notBefore = now }: { now: number; notBefore?: number },
): BookingPlan {
  const firstDay = requireTargetDay(facility, wanted.targetDate, now)
  return {
    firstDay,
    lastDay: lastRolloverDay(facility, firstDay),
    minutes: resolveMinutes(facility, wanted),
    notBefore: Math.max(earliestStart(facility, now), notBefore),
  }
}

/** Books the earliest free slot. Throws `duplicate_reference`, or the error for a date without a free slot. */
export async function bookEarliestSlot(
  tx: WriteTx,
  site: BookingSite,
  { wanted, plan, now, id, among = site.doors }: { wanted: BookingRequest; plan: BookingPlan } & PlacementOptions,
): Promise<NewAppointment> {
  const { facility, doors } = site
  await requireUnusedReference(tx, site, wanted.referenceNumber)
  const request = { facility, places: facilityCapacity(facility, doors), doors: among, type: wanted.type, ...plan }
  const answer = await runSearch(searchSlot(request), site.busy)
  if (!answer.slot)
    throw (facility.advanceToNextOpenDay ? noSlotError : dateUnavailableError)(facility, answer.refusals)
  const appointment = buildAppointment(answer.slot, facility, wanted, id)
  await insertAppointment(tx, appointment, { tenantId: site.tenantId, createdAt: now })
  return appointment
}

async function requireUnusedReference(
  tx: WriteTx,
  { facility, hasScheduled }: BookingSite,
  referenceNumber: string,
): Promise<void> {
  if (!(await hasScheduled(referenceNumber))) return
  const standing = await findScheduledReference(tx, facility.id, referenceNumber)
  if (standing) throw duplicateReferenceError(referenceNumber, presentAppointment(standing))
}

function buildAppointment(slot: Slot, facility: Facility, wanted: BookingRequest, id: string): NewAppointment {
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

/**
 * A facility that the transaction holds, for one booking. What may matter of the date that is asked for is read at once; what is
 * taken on later dates when the search comes to them.
 */
export async function loadBookingSite(
  tx: WriteTx,
  { tenantId, facility }: { tenantId: string; facility: Facility },
  { plan, referenceNumber }: { plan: BookingPlan; referenceNumber: string },
): Promise<BookingSite> {
  const span = firstSearchSpan(facility, plan)
  const { doors, hasReference, busy } = await loadSiteRecord(tx, { facilityId: facility.id, referenceNumber, span })
  return {
    tenantId,
    facility,
    doors,
    hasScheduled: async () => hasReference,
    busy: async (asked) => (containsSpan(span, asked) ? busy : listBusySpans(tx, facility.id, asked, null)),
  }
}

/** The date that is asked for, and as far as an appointment reaches that starts on it. */
function firstSearchSpan(facility: Facility, { firstDay, minutes, notBefore }: BookingPlan): Span {
  const parts = listDayParts(facility.timeZone, firstDay)
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return { from: 0, to: 0 } // the zone skips the date
  return { from: Math.max(first.from, notBefore), to: last.to + minutes * MINUTE_MS }
}

/** The earliest slot beside what is booked; reads no further than the search comes. `except` is taken for free. */
export function findSlot(
  tx: ReadTx,
  facilityId: string,
  request: SlotRequest,
  except: string | null = null,
): Promise<SlotSearchResult> {
  return runSearch(searchSlot(request), (span) => listBusySpans(tx, facilityId, span, except))
}

/** All slots of a date beside what is booked. */
export function findSlotsOnDay(
  tx: ReadTx,
  facilityId: string,
  request: Omit<SlotRequest, 'lastDay'>,
): Promise<DayAvailability> {
  return runSearch(searchDay(request), (span) => listBusySpans(tx, facilityId, span, null))
}

/** Runs a search to its end, and reads what it asks for. */
export async function runSearch<Answer>(
  search: Search<Answer>,
  read: (span: Span) => Promise<readonly BusySpan[]>,
): Promise<Answer> {
  let step = search.next()
  while (!step.done) step = search.next(await read(step.value))
  return step.value
}
