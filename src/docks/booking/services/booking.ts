import { inputError } from '../../../kernel'
import { type DayNumber, MINUTE_MS, parseTimeOfDay } from '../../../kernel/time'
import { letOthersRun } from '../../../kernel/work/budget'
import type { ReadTx, WriteTx } from '../../../storage'
import { toBookedSpan } from '../../facilities/rules/conflicts'
import type { AppointmentType, Door, Facility } from '../../facilities/rules/facility'
import {
  type AppointmentRecord,
  type BookingOrigin,
  findAppointmentsById,
  findDoors,
  hasScheduledReference,
  insertAppointment,
  listBusySpans,
  listScheduledWith,
  loadSiteRecord,
  type NewAppointment,
} from '../../queries'
import { formatLocalDateTime, listDayParts } from '../../rules/zoned-time'
import {
  computeEarliestStart,
  dateUnavailableError,
  duplicateReferenceError,
  noSlotError,
  type RequestedLength,
  requireFutureDay,
  resolveMinutes,
  slotUnavailableError,
} from '../rules/booking-rules'
import { getDecisiveSpan, type Replacement } from '../rules/limits'
import { hideSiteFields, type Load, toLoad, toStoredLoad } from '../rules/load'
import type { RequestedLoad } from '../rules/load-fields'
import { listNearestSlots, PlacementCheck, placeAt } from '../rules/placement'
import { listNumbers, type Reference, storeReferences } from '../rules/references'
import { resolveStart } from '../rules/requested-slot'
import {
  type ClockWindow,
  type DayAvailability,
  type DayRefusal,
  type Search,
  type Slot,
  type SlotRequest,
  searchDay,
  searchSlot,
} from '../rules/slot-search'
import { type BusySpan, containsSpan, getFacilityCapacity, type Span } from '../rules/spans'
import { presentAppointment } from './present-appointment'

/** The requested booking, without its facility and its place. */
export interface BookingRequest extends RequestedLoad {
  type: AppointmentType
  carrierName: string
  referenceNumber: string
  /** As `resolveReferences` has them. */
  references?: readonly Reference[] | null
  trailerId?: string | null
}

/** The facility of a booking, locked by the transaction, and what is booked there. */
export interface BookingSite {
  tenantId: string
  facility: Facility
  /** All doors of the facility. */
  doors: readonly Door[]
  /** Whether the facility has a scheduled appointment with one of the references. */
  hasScheduled(numbers: readonly string[]): Promise<boolean>
  busy(span: Span): Promise<readonly BusySpan[]>
  /** What the change gives up, which `busy` leaves out. */
  replaces?: Replacement | undefined
}

type SearchedSite = Pick<BookingSite, 'facility' | 'doors' | 'busy' | 'replaces'>

/** An appointment that is moved or changed. */
export function replaceAppointment(appointment: AppointmentRecord): Replacement {
  const own = toBookedSpan(appointment)
  return { freed: [own], ownTime: { from: own.from, to: own.to } }
}

/** The possible starts and the length of an appointment, before other appointments are considered. */
export interface BookingPlan {
  firstDay: DayNumber
  lastDay: DayNumber
  minutes: number
  /** No start before this instant. */
  notBefore: number
  /** The only accepted start; null for the earliest one. */
  startAt: number | null
  /** The hours of each date in which it may start; null for all. */
  window: ClockWindow | null
}

/** The fields of a request that say when the appointment may be. */
export interface RequestedTime {
  targetDate?: string | null
  startTime?: string | null
  notBefore?: string | null
  notAfter?: string | null
}

interface PlacementOptions extends Pick<BookingOrigin, 'caller' | 'source' | 'note'> {
  now: number
  /** The ID of the new appointment. */
  id: string
  /** The doors that may be booked; all by default. */
  allowedDoors?: readonly Door[]
}

/** How many days after the target date a booking may roll over to. */
export const ROLLOVER_DAYS = 30

/** Throws `date_in_past`, and `invalid` for a length outside of the facility's limits. `notBefore` defaults to now. */
export function planBooking(
  facility: Facility,
  booking: RequestedTime & RequestedLength,
  { now, notBefore = now }: { now: number; notBefore?: number },
): BookingPlan {
  const starts = planStarts(facility, booking, now)
  const isRollover = facility.advanceToNextOpenDay && starts.startAt === null
  return {
    ...starts,
    lastDay: isRollover ? limitLastDay(facility, starts.firstDay + ROLLOVER_DAYS) : starts.firstDay,
    minutes: resolveMinutes(facility, booking),
    notBefore: Math.max(starts.notBefore, notBefore),
  }
}

/** The last day of a search, which may be earlier for a carrier. */
function limitLastDay({ caller }: Facility, day: DayNumber): DayNumber {
  return Math.min(day, caller?.lastDay ?? day)
}

/** The possible starts on one date. Throws `date_in_past`, and `invalid` for a start that does not exist. */
export function planStarts(
  facility: Facility,
  { targetDate, startTime, notBefore, notAfter }: RequestedTime,
  now: number,
): Omit<BookingPlan, 'minutes'> {
  const { date, startAt } = resolveStart(facility.timeZone, { targetDate, startTime })
  const path = targetDate == null ? 'startTime' : 'targetDate'
  const firstDay = requireFutureDay(facility, { path, date }, now)
  const window =
    notBefore == null && notAfter == null
      ? null
      : { from: parseTimeOfDay(notBefore ?? '00:00'), to: parseTimeOfDay(notAfter ?? '24:00') }
  return { firstDay, lastDay: firstDay, notBefore: computeEarliestStart(facility, now), startAt, window }
}

/** The active or inactive doors that a request accepts: the one with the ID or the name, or all. Throws `invalid` if there is none. */
export function findRequestedDoors(
  { facility, doors }: Pick<BookingSite, 'facility' | 'doors'>,
  doorId: string | null | undefined,
): readonly Door[] {
  if (doorId == null) return doors
  const door = doors.find(({ id }) => id === doorId.toLowerCase()) ?? doors.find(({ name }) => name === doorId)
  if (door) return [door]
  throw inputError([{ path: 'doorId', message: `there is no door ${doorId} at ${facility.code}` }])
}

/**
 * Books the requested start, or the earliest free one. Throws `duplicate_reference`, or the error for a place that is not free or for
 * dates without a free slot.
 */
export async function bookSlot(
  tx: WriteTx,
  site: BookingSite,
  {
    booking,
    plan,
    now,
    id,
    caller,
    source,
    note,
    allowedDoors = site.doors,
  }: { booking: BookingRequest; plan: BookingPlan } & PlacementOptions,
): Promise<NewAppointment> {
  const numbers = listRequestedNumbers(booking)
  if (await site.hasScheduled(numbers)) await requireUnusedReferences(tx, site.facility, numbers)
  const slot = await findPlace(site, { load: toLoad(booking), plan, allowedDoors })
  const appointment = buildAppointment(slot, site.facility, booking, id)
  await insertAppointment(tx, appointment, { tenantId: site.tenantId, createdAt: now, caller, source, note })
  return appointment
}

/** Finds the requested start, or the earliest free one. Throws the error for a place that is not free or for dates without a free slot. */
export async function findPlace(
  { facility, doors, busy, replaces }: SearchedSite,
  { load, plan, allowedDoors = doors }: { load: Load; plan: BookingPlan; allowedDoors?: readonly Door[] },
): Promise<Slot> {
  const capacity = getFacilityCapacity(facility, doors)
  const request = { facility, capacity, doors: allowedDoors, load, replaces, ...plan }
  const { startAt, minutes } = plan
  if (startAt === null) {
    const found = await runSearch(searchSlot(request), busy)
    if (found.slot) return found.slot
    const isAsDocumented = plan.window === null && allowedDoors === doors && plan.lastDay === plan.firstDay
    throw (isAsDocumented ? dateUnavailableError : noSlotError)(facility, found.refusals)
  }
  const span = { from: startAt, to: startAt + minutes * MINUTE_MS }
  const check = new PlacementCheck(facility, doors, await busy(getDecisiveSpan(facility, span)), replaces)
  await letOthersRun()
  const placed = placeAt(check, request, startAt)
  if (placed.slot) return placed.slot
  await letOthersRun()
  const alternatives = await findAlternatives(
    { facility, doors, busy, replaces },
    { load, ...plan, startAt, preferred: allowedDoors },
  )
  await letOthersRun()
  const what = `No appointment is possible at ${formatLocalDateTime(facility.timeZone, startAt)}`
  throw slotUnavailableError(facility, { what, path: 'startTime', startAt, refusals: placed.refusals, alternatives })
}

type NearestRequest = Pick<SlotRequest, 'load' | 'minutes' | 'firstDay' | 'notBefore'> & {
  startAt: number
  preferred: readonly Door[]
  /** The doors that count; all by default. */
  allowedDoors?: readonly Door[]
  /** Which of the free slots count; all by default. */
  isAccepted?: (slot: Slot) => boolean
}

/** The free slots nearest to a start: on its date at any door, else the next one. */
export async function findAlternatives(site: SearchedSite, wanted: NearestRequest): Promise<Slot[]> {
  const { slots } = await findNearestSlots(site, wanted)
  if (slots.length > 0) return slots
  const { facility, doors, busy, replaces } = site
  const later = {
    firstDay: wanted.firstDay + 1,
    lastDay: limitLastDay(facility, wanted.firstDay + ROLLOVER_DAYS),
  }
  if (later.lastDay < later.firstDay) return []
  const capacity = getFacilityCapacity(facility, doors)
  const request = { ...wanted, ...later, facility, capacity, doors, replaces }
  const { slot } = await runSearch(searchSlot(request), busy)
  return slot ? [slot] : []
}

/** The free slots on the first day that are nearest to a start, at any door, or why there is none. */
export async function findNearestSlots(
  { facility, doors, busy, replaces }: SearchedSite,
  { startAt, preferred, allowedDoors = doors, isAccepted, ...wanted }: NearestRequest,
): Promise<{ slots: Slot[]; refusals: DayRefusal[] }> {
  const capacity = getFacilityCapacity(facility, doors)
  const request = { ...wanted, facility, capacity, doors: allowedDoors, replaces }
  const { starts, refusals } = await runSearch(searchDay(request), busy)
  if (isAccepted) {
    for (const [from, free] of starts) {
      const accepted = free.filter((door) => isAccepted({ door, from, to: from + wanted.minutes * MINUTE_MS }))
      if (accepted.length > 0) starts.set(from, accepted)
      else starts.delete(from)
    }
  }
  return { slots: listNearestSlots(starts, { startAt, minutes: wanted.minutes, preferred }), refusals }
}

/** The references of a booking that no other scheduled appointment may have. */
export function listRequestedNumbers({
  referenceNumber,
  references,
}: Pick<BookingRequest, 'referenceNumber' | 'references'>): string[] {
  return listNumbers({ referenceNumber, references: storeReferences(references) })
}

/** Throws `duplicate_reference` if a scheduled appointment but `except` has one of the references. */
export async function requireUnusedReferences(
  tx: ReadTx,
  facility: Facility,
  numbers: readonly string[],
  except?: string,
): Promise<void> {
  const found = (await listScheduledWith(tx, facility.id, numbers)).find(({ id }) => id !== except)
  const [existing] = found ? await findAppointmentsById(tx, [found.id]) : []
  if (!found || !existing) return
  const { caller } = facility
  const visible = !caller ? existing : caller.name === existing.carrierName ? hideSiteFields(existing) : null
  throw duplicateReferenceError(found.number, visible && presentAppointment(visible))
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
    references: storeReferences(booking.references),
    ...toStoredLoad(booking),
    step: null,
  }
}

/** The site of one booking. The busy spans of the target date are read at once, those of later dates when the search reaches them. */
export async function loadBookingSite(
  tx: WriteTx,
  { tenantId, facility }: { tenantId: string; facility: Facility },
  { plan, numbers, now }: { plan: BookingPlan; numbers: readonly string[]; now: number },
): Promise<BookingSite> {
  const span = getFirstSearchSpan(facility, plan)
  const { doors, hasReference, busy } = await loadSiteRecord(tx, {
    facilityId: facility.id,
    numbers,
    span,
    now,
  })
  return {
    tenantId,
    facility,
    doors,
    hasScheduled: async () => hasReference,
    busy: async (needed) =>
      facility.limits.length === 0 && containsSpan(span, needed) ? busy : listBusySpans(tx, facility, needed, { now }),
  }
}

/** The site of several bookings, or of a change. What it replaces has the ID in `except`. */
export async function loadSite(
  tx: WriteTx,
  { tenantId, facility }: { tenantId: string; facility: Facility },
  { replaces, ...options }: { now: number; except?: readonly string[]; replaces?: Replacement | undefined },
): Promise<BookingSite> {
  return {
    tenantId,
    facility,
    doors: await findDoors(tx, facility.id),
    hasScheduled: (numbers) => hasScheduledReference(tx, facility.id, numbers),
    busy: (span) => listBusySpans(tx, facility, span, options),
    replaces,
  }
}

/** The target date, extended to the latest end of an appointment that starts on it. */
function getFirstSearchSpan(facility: Facility, { firstDay, minutes, notBefore }: BookingPlan): Span {
  const parts = listDayParts(facility.timeZone, firstDay)
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return { from: 0, to: 0 } // the zone skips the date
  return getDecisiveSpan(facility, { from: Math.max(first.from, notBefore), to: last.to + minutes * MINUTE_MS })
}

/** All free slots of a date. */
export function findSlotsOnDay(
  tx: ReadTx,
  facility: Facility,
  request: Omit<SlotRequest, 'lastDay'>,
  now: number,
): Promise<DayAvailability> {
  return runSearch(searchDay(request), (span) => listBusySpans(tx, facility, span, { now }))
}

/** Runs a search to its end, and reads the busy spans that it needs. */
export async function runSearch<Result>(
  search: Search<Result>,
  read: (span: Span) => Promise<readonly BusySpan[]>,
): Promise<Result> {
  let step = search.next()
  while (!step.done) {
    if (step.value !== null) step = search.next(await read(step.value))
    else {
      await letOthersRun()
      step = search.next(NO_SPANS)
    }
  }
  return step.value
}

const NO_SPANS: readonly BusySpan[] = []
