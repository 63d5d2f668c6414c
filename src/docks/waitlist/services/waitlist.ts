import { findTenantId } from '../../../access'
import { type Context, hint, StudioError, suggest } from '../../../kernel'
import { formatDate, MINUTE_MS, parseDate } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { toLoad } from '../../booking/rules/load'
import { isDoorOfCarrier } from '../../booking/rules/requested-slot'
import { type Slot, searchSlot } from '../../booking/rules/slot-search'
import { getFacilityCapacity } from '../../booking/rules/spans'
import { listRequestedNumbers } from '../../booking/services/booking'
import { planStarts } from '../../booking/services/booking-plan'
import { runSearch } from '../../booking/services/find-place'
import { OccupancyCache } from '../../booking/services/occupancy-cache'
import { restrictToCarrier } from '../../carriers/rules/carriers'
import type { Door, Facility } from '../../facilities/rules/facility'
import {
  findDoors,
  findFacility,
  findWaitlistEntry,
  findWaitlistEntryOfHold,
  insertHold,
  listBookedReferences,
  listWaitlist,
  listWaitlistFacilities,
  removeHold,
  removeWaitlistEntry,
  saveOffer,
  type WaitlistEntry,
} from '../../queries'
import { getLocalDay } from '../../rules/zoned-time'
import { runAtEachFacility } from '../../services/each-facility'
import { isOwn, lockFacilityOfRecord, requireFacility } from '../../services/tenant-access'
import type { EndOfOffer, EndOfWaiting, ListedWaitlistEntry } from '../schemas'
import { type EventPlace, presentOffer, presentWaiting, recordWaitlistEvent } from './waitlist-events'

type Ctx = Context & StorageContext
interface Place {
  tenantId: string
  /** As it is for the site, not restricted to what a carrier may book. */
  facility: Facility
}

/**
 * Offers the free slots of a facility, which the transaction has locked, to those who wait, in their order: each gets a hold of the first
 * slot that fits. Offers that have expired end first. Entries whose dates are over or whose load is booked are removed. Returns the
 * number of new offers.
 */
export async function offerFreeSlots(ctx: Ctx, tx: WriteTx, place: Place): Promise<number> {
  const { facility } = place
  if (facility.archivedAt !== null) return 0
  const entries = await listWaitlist(tx, facility.id)
  if (entries.length === 0) return 0
  const now = ctx.clock.now()
  const today = formatDate(getLocalDay(facility.timeZone, now))
  const references = entries.flatMap(({ request }) => listRequestedNumbers(request))
  const booked = await listBookedReferences(tx, facility.id, references)
  const waiting: WaitlistEntry[] = []
  for (const entry of entries) {
    const takers = listRequestedNumbers(entry.request).flatMap((number) => booked.get(number) ?? [])
    if (takers.length > 0) {
      // A carrier does not lose its place because another one books its reference, and is offered no slot meanwhile.
      const isWaiting = entry.carrier !== null && !takers.includes(entry.carrier) && entry.request.lastDate >= today
      if (!isWaiting) await removeEntry(ctx, tx, place, { entry, cause: 'booked' })
      else if (entry.offer !== null) await endOffer(ctx, tx, place, { entry, cause: 'withdrawn' })
      continue
    }
    const isOpen = entry.offer !== null && entry.offer.expiresAt > now
    if (isOpen) continue
    const settled = entry.offer === null ? entry : await endOffer(ctx, tx, place, { entry, cause: 'expired' })
    if (entry.request.lastDate < today) await removeEntry(ctx, tx, place, { entry: settled, cause: 'over' })
    else waiting.push(settled)
  }
  // An entry of a carrier that is no longer admitted waits until it is.
  const places = waiting.flatMap((entry) => {
    const own = entry.carrier === null ? facility : restrictToCarrier(facility, entry.carrier, now)
    return own ? [{ entry, facility: own }] : []
  })
  const limits = [...new Set(places.flatMap((place) => place.facility.limits))]
  const site = {
    doors: await findDoors(tx, facility.id),
    occupancy: new OccupancyCache(tx, { id: facility.id, limits }, now),
  }
  let offers = 0
  for (const { entry, facility: own } of places) {
    const slot = await findOffer({ ...site, facility: own }, entry, now)
    if (slot === null) continue
    await saveHeldOffer(ctx, tx, place, { entry, slot })
    await site.occupancy.add({ ...toLoad(entry.request), doorId: slot.door.id, from: slot.from, to: slot.to })
    offers += 1
  }
  return offers
}

/** The same for a facility that is known by its ID. */
export async function offerFreeSlotsAt(
  ctx: Ctx,
  tx: WriteTx,
  { tenantId, facilityId }: { tenantId: string; facilityId: string },
): Promise<number> {
  const facility = await findFacility(tx, tenantId, { id: facilityId })
  return facility ? offerFreeSlots(ctx, tx, { tenantId, facility }) : 0
}

/** The same for all facilities, or those of a tenant, each in a transaction of its own. */
export async function offerEverywhere(
  ctx: Ctx,
  choice: { tenantId?: string; facilityId?: string },
  { isUpkeep = false } = {},
): Promise<number> {
  const places = await ctx.db.read((tx) => listWaitlistFacilities(tx, choice))
  const upkeep = isUpkeep ? 'waitlist.offer' : null
  return runAtEachFacility(ctx, places, { upkeep, work: (tx, place) => offerFreeSlots(ctx, tx, place) })
}

/** The earliest free slot whose start the entry has not declined. */
async function findOffer(
  { facility, doors, occupancy }: { facility: Facility; doors: readonly Door[]; occupancy: OccupancyCache },
  { request, declined }: WaitlistEntry,
  now: number,
): Promise<Slot | null> {
  const first = Math.max(parseDate(request.targetDate), getLocalDay(facility.timeZone, now))
  const lastDay = Math.min(parseDate(request.lastDate), facility.caller?.lastDay ?? Number.POSITIVE_INFINITY)
  if (first > lastDay) return null
  const starts = planStarts(facility, { ...request, targetDate: formatDate(first) }, now)
  const search = searchSlot({
    facility,
    capacity: getFacilityCapacity(facility, doors),
    doors: request.doorId === null ? doors : doors.filter(({ id }) => id === request.doorId),
    load: toLoad(request),
    minutes: request.minutes,
    ...starts,
    lastDay,
    excludedStarts: declined,
  })
  const { slot } = await runSearch(search, (span) => occupancy.list(span))
  return slot
}

async function saveHeldOffer(
  ctx: Ctx,
  tx: WriteTx,
  place: Place,
  { entry, slot }: { entry: WaitlistEntry; slot: Slot },
): Promise<void> {
  const { tenantId, facility } = place
  const now = ctx.clock.now()
  const { offerMinutes } = entry.request
  const offer = {
    startAt: slot.from,
    endAt: slot.to,
    doorName: slot.door.name,
    // The slot can no longer be taken when it begins.
    expiresAt: Math.min(now + offerMinutes * MINUTE_MS, slot.from),
  }
  const hold = {
    id: ctx.ids.uuid(),
    facilityId: facility.id,
    facilityName: facility.name,
    facilityCode: facility.code,
    doorId: slot.door.id,
    ...toLoad(entry.request),
    ...offer,
    pinned: Number(isDoorOfCarrier(entry.carrier, entry.request)),
  }
  await insertHold(tx, hold, { tenantId, createdAt: now, caller: null })
  const offered = { ...entry, holdId: hold.id, offer }
  await saveOffer(tx, offered)
  await recordWaitlistEvent(ctx, tx, place, { event: 'waitlist.offered', entry: offered, cause: null })
}

/** Ends an offer and releases its slot. The start of one that was declined or has expired is not offered to the entry again. */
async function endOffer(
  ctx: Ctx,
  tx: WriteTx,
  place: EventPlace,
  { entry, cause }: { entry: WaitlistEntry; cause: EndOfOffer },
): Promise<WaitlistEntry> {
  const { holdId, offer, declined } = entry
  if (holdId !== null) await removeHold(tx, holdId)
  const isRefused = offer !== null && cause !== 'withdrawn'
  const after = { ...entry, holdId: null, offer: null, declined: isRefused ? [...declined, offer.startAt] : declined }
  await saveOffer(tx, after)
  await recordWaitlistEvent(ctx, tx, place, { event: 'waitlist.offer_ended', entry, cause })
  return after
}

/** Removes an entry and releases the slot that is held for it. */
export async function removeEntry(
  ctx: Ctx,
  tx: WriteTx,
  place: EventPlace,
  { entry, cause }: { entry: WaitlistEntry; cause: EndOfWaiting },
): Promise<void> {
  if (entry.holdId !== null) await removeHold(tx, entry.holdId)
  await removeWaitlistEntry(tx, entry.id)
  await recordWaitlistEvent(ctx, tx, place, { event: 'waitlist.removed', entry, cause })
}

/**
 * Ends a hold. If it was an offer: one that was released is declined; one that the facility ends was not, so its start is offered again
 * when it is free.
 */
export async function endHold(
  ctx: Ctx,
  tx: WriteTx,
  place: EventPlace,
  { holdId, cause }: { holdId: string; cause: EndOfOffer },
): Promise<void> {
  const entry = await findWaitlistEntryOfHold(tx, holdId)
  if (entry) await endOffer(ctx, tx, place, { entry, cause })
  else await removeHold(tx, holdId)
}

interface OfferAnswer {
  /** The hold of the offer that the caller answers. Without it, the current offer is answered. */
  holdId?: string | undefined
  now: number
}

/** Ends the offer of an entry. Throws `invalid_state` if it is not open. */
export async function declineOffer(
  ctx: Ctx,
  tx: WriteTx,
  { entry, ...place }: EventPlace & { entry: WaitlistEntry },
  holdId: string | undefined,
): Promise<void> {
  requireOffer(entry, { holdId, now: ctx.clock.now() })
  await endOffer(ctx, tx, place, { entry, cause: 'declined' })
}

/** The ID of the hold of an offer. Throws `invalid_state` if there is no offer, it has expired, or its hold is not the answered one. */
export function requireOffer({ holdId, offer, request }: WaitlistEntry, answer: OfferAnswer): string {
  const isOpen = holdId !== null && offer !== null && offer.expiresAt > answer.now
  if (isOpen && (answer.holdId === undefined || answer.holdId === holdId)) return holdId
  const what = isOpen ? 'Another slot is offered now' : offer ? 'The offer has expired' : 'No slot is offered'
  throw new StudioError('invalid_state', `${what} for ${request.referenceNumber}.`, {
    hint: hint`It stays on the waitlist. See the offers: ${suggest('waitlist.list', { facilityCode: '<code>' })}`,
  })
}

/** An entry of the caller with its facility locked, as the caller may use it. Throws `not_found`. */
export async function lockEntry(
  ctx: Ctx,
  tx: WriteTx,
  id: string,
): Promise<{ tenantId: string; facility: Facility; entry: WaitlistEntry }> {
  const tenantId = await findTenantId(ctx, tx)
  await lockFacilityOfRecord(tx, tenantId, { table: 'waitlist_entry', id })
  const entry = tenantId && (await findWaitlistEntry(tx, tenantId, id))
  if (entry && isOwn(ctx, entry.request))
    return { tenantId: tenantId!, entry, facility: await requireFacility(ctx, tx, entry) }
  throw new StudioError(
    'not_found',
    `There is no entry ${id} on the waitlist: it was accepted or removed, or it has expired.`,
    {
      hint: hint`List the entries: ${suggest('waitlist.list', { facilityCode: '<code>' })}`,
    },
  )
}

export function presentEntry(
  entry: WaitlistEntry,
  facility: Facility,
  { position, now }: { position: number; now: number },
): ListedWaitlistEntry {
  const { id, holdId, offer } = entry
  const isOpen = holdId !== null && offer !== null && offer.expiresAt > now
  const facts = presentWaiting(entry, facility)
  return {
    ...facts,
    id,
    position,
    siteFields: facility.caller ? null : facts.siteFields,
    offer: isOpen ? presentOffer(holdId, offer) : null,
  }
}
