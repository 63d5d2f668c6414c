import { MINUTE_MS } from '../../../kernel/time'
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
import { listDayParts } from '../../rules/zoned-time'
import { duplicateReferenceError } from '../rules/booking-rules'
import { getDecisiveSpan, type Replacement } from '../rules/limits'
import { hideSiteFields, toLoad, toStoredLoad } from '../rules/load'
import type { RequestedLoad } from '../rules/load-fields'
import { type Reference, storeReferences } from '../rules/references'
import type { Slot } from '../rules/slot-search'
import { containsSpan, type Span } from '../rules/spans'
import type { BookingPlan } from './booking-plan'
import { findPlace, type SearchedSite } from './find-place'
import { presentAppointment } from './present-appointment'

/** The requested booking, without its facility and its place. */
export interface BookingRequest extends RequestedLoad {
  type: AppointmentType
  carrierName: string
  referenceNumber: string
  /** As `resolveReferences` has them. */
  references?: readonly Reference[] | null
  trailerId?: string | null
  /** Whether it stays at its door when room is made for others. */
  isPinned?: boolean
}

/** The facility of a booking. */
export interface BookingSite extends SearchedSite {
  tenantId: string
  /** Whether the facility has a scheduled appointment with one of the references. */
  hasScheduled(numbers: readonly string[]): Promise<boolean>
}

/** An appointment that is moved or changed. */
export function replaceAppointment(appointment: AppointmentRecord): Replacement {
  const own = toBookedSpan(appointment)
  return { freed: [own], ownTime: { from: own.from, to: own.to } }
}

interface PlacementOptions extends Pick<BookingOrigin, 'caller' | 'source' | 'note'> {
  now: number
  /** The ID of the new appointment. */
  id: string
  /** The doors that may be booked; all by default. */
  allowedDoors?: readonly Door[]
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
  await requireNewReferences(tx, site, booking)
  const slot = await findPlace(site, { load: toLoad(booking), plan, allowedDoors })
  const appointment = buildAppointment(slot, site.facility, booking, id)
  await insertAppointment(tx, appointment, { tenantId: site.tenantId, createdAt: now, caller, source, note })
  return appointment
}

/** Throws `duplicate_reference` if a scheduled appointment of the facility has one of the references. */
export async function requireNewReferences(
  tx: ReadTx,
  { facility, hasScheduled }: Pick<BookingSite, 'facility' | 'hasScheduled'>,
  booking: Pick<BookingRequest, 'referenceNumber' | 'references'>,
): Promise<void> {
  const numbers = listRequestedNumbers(booking)
  if (await hasScheduled(numbers)) await requireUnusedReferences(tx, facility, numbers)
}

/** The references of a booking that no other scheduled appointment may have. */
export function listRequestedNumbers({
  referenceNumber,
  references,
}: Pick<BookingRequest, 'referenceNumber' | 'references'>): string[] {
  return references?.map(({ number }) => number) ?? [referenceNumber]
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

export function buildAppointment(slot: Slot, facility: Facility, booking: BookingRequest, id: string): NewAppointment {
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
    pinned: Number(booking.isPinned ?? false),
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
