import { checkpoint } from '../../../kernel'
import { type DayNumber, MINUTE_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { toBookedSpan } from '../../facilities/rules/conflicts'
import type { AppointmentType, Door, Facility } from '../../facilities/rules/facility'
import { type AppointmentRecord, findDoors, listAppointments } from '../../queries'
import { formatDateWithWeekday } from '../../rules/calendar-date'
import { type DateRange, getSpanOfDates, isStartWithin } from '../../rules/date-range'
import { getLocalDay } from '../../rules/zoned-time'
import { computeEarliestStart, describeRefusal, noSlotError } from '../rules/booking-rules'
import { type ClearedHours, type ClearPolicy, getSameTimeOn, getTargetDates, isWithinHours } from '../rules/clear-dates'
import { getDecisiveSpan } from '../rules/limits'
import { PlacementCheck } from '../rules/placement'
import type { DayRefusal, Slot } from '../rules/slot-search'
import type { Span } from '../rules/spans'
import { replaceAppointment } from './booking'
import { ROLLOVER_DAYS } from './booking-plan'
import { findNearestSlots, findRequestedDoors } from './find-place'
import { OccupancyCache } from './occupancy-cache'

/** Which appointments are moved or cancelled, and how. */
export interface ClearRequest {
  cleared: DateRange
  hours: ClearedHours | null
  doorId: string | null
  type: AppointmentType | null
  carrierName: string | null
  policy: ClearPolicy
  /** The date of the policy `date`. */
  date: DayNumber | null
  reason: string | null
}

/** What happens to an appointment. `skipped` appointments have begun; `refused` ones found no slot. Neither changes. */
export type ClearOutcome =
  | { outcome: 'moved' | 'cancelled'; before: AppointmentRecord; after: AppointmentRecord }
  | { outcome: 'refused' | 'skipped'; before: AppointmentRecord; message: string }

/** The scheduled appointments of the request by start, without those that are done already. */
export async function findAppointmentsToClear(
  tx: ReadTx,
  facility: Facility,
  request: ClearRequest,
  done: ReadonlySet<string>,
): Promise<AppointmentRecord[]> {
  const { timeZone } = facility
  const { cleared, hours, type, carrierName, doorId } = request
  const starting = getSpanOfDates(timeZone, cleared)
  const filter = {
    facilityId: facility.id,
    starting,
    referenceNumber: null,
    status: 'scheduled' as const,
    type,
    carrierNames: carrierName === null ? [] : [carrierName],
  }
  const scheduled = (await listAppointments(tx, filter)).filter(
    (record) =>
      !done.has(record.id) &&
      isStartWithin(timeZone, cleared, record.startAt) &&
      (hours === null || isWithinHours(timeZone, hours, { from: record.startAt, to: record.endAt })),
  )
  if (doorId === null) return scheduled
  // Of a removed door, too: its appointments must go somewhere.
  const atDoor = scheduled.filter((record) => isAtDoor(request, record.doorId, record.doorName))
  if (atDoor.length === 0) findRequestedDoors({ facility, doors: await findDoors(tx, facility.id) }, doorId)
  return atDoor
}

/**
 * Decides what happens to each appointment, in their order: each leaves its slot free for the next ones and takes a new one. On the same
 * day, all that can keep their time at another door get it before any other takes that place.
 */
export async function planClearing(
  tx: ReadTx,
  facility: Facility,
  appointments: readonly AppointmentRecord[],
  { request, now, ctx }: { request: ClearRequest; now: number; ctx: Parameters<typeof checkpoint>[0] },
): Promise<ClearOutcome[]> {
  const site = { facility, doors: await findDoors(tx, facility.id), occupancy: new OccupancyCache(tx, facility, now) }
  const decided = new Map<AppointmentRecord, ClearOutcome>()
  const searches: SlotSearch[] =
    request.policy === 'same-day' ? [findSameTime, findOtherTime] : request.policy === 'cancel' ? [] : [findOtherDay]
  for (const before of appointments) {
    if (hasBegun(before, request, now)) decided.set(before, { outcome: 'skipped', before, message: 'It has begun.' })
    else if (request.policy === 'cancel')
      decided.set(before, { outcome: 'cancelled', before, after: { ...before, status: 'cancelled' } })
  }
  for (const search of searches) {
    for (const before of appointments) {
      const { outcome } = decided.get(before) ?? {}
      if (outcome !== undefined && outcome !== 'refused') continue
      await checkpoint(ctx)
      decided.set(before, await moveAppointment(site, before, (appointment) => search(site, appointment, request, now)))
    }
  }
  return appointments.map((before) => decided.get(before)!)
}

/** A truck that waits in the yard can be sent to another door of the day, but not to another day. */
function hasBegun({ step, startAt }: AppointmentRecord, { policy }: ClearRequest, now: number): boolean {
  const isMovable = step === null || (step === 'checked_in' && policy === 'same-day')
  return !isMovable || startAt <= now
}

interface ClearedSite {
  facility: Facility
  doors: readonly Door[]
  occupancy: OccupancyCache
}

/** Finds a new slot, or says why there is none. */
type SlotSearch = (
  site: ClearedSite,
  appointment: AppointmentRecord,
  request: ClearRequest,
  now: number,
) => Promise<Slot | string>

async function moveAppointment(
  { occupancy }: ClearedSite,
  before: AppointmentRecord,
  search: (appointment: AppointmentRecord) => ReturnType<SlotSearch>,
): Promise<ClearOutcome> {
  const own = toBookedSpan(before)
  // Loads its day, without which it could not be removed.
  await occupancy.list(own)
  await occupancy.remove(own)
  const slot = await search(before)
  if (typeof slot === 'string') {
    await occupancy.add(own)
    return { outcome: 'refused', before, message: slot }
  }
  await occupancy.add({ ...own, doorId: slot.door.id, from: slot.from, to: slot.to })
  const after = { ...before, doorId: slot.door.id, doorName: slot.door.name, startAt: slot.from, endAt: slot.to }
  return { outcome: 'moved', before, after }
}

const toSearchedSite = ({ facility, doors, occupancy }: ClearedSite, appointment: AppointmentRecord) => ({
  facility,
  doors,
  busy: (span: Span) => occupancy.list(span),
  replaces: replaceAppointment(appointment),
})

/** The same time at another door. It is not a new start, so neither the lead time nor the alignment of starts matters. */
async function findSameTime(site: ClearedSite, appointment: AppointmentRecord, request: ClearRequest) {
  const { facility, doors, occupancy } = site
  const own = toBookedSpan(appointment)
  const busy = await occupancy.list(getDecisiveSpan(facility, own))
  const check = new PlacementCheck(facility, doors, busy, replaceAppointment(appointment))
  const door = doors
    .filter((door) => !isCleared(facility, request, { door, from: own.from, to: own.to }))
    .sort((a, b) => a.position - b.position)
    .find((door) => check.findReason({ ...own, doorId: door.id }) === null)
  return door ? { door, from: own.from, to: own.to } : 'No other door is free at its time.'
}

/** The free slot of its date nearest to its time, outside of what is cleared. */
async function findOtherTime(site: ClearedSite, appointment: AppointmentRecord, request: ClearRequest, now: number) {
  const { facility, doors } = site
  const { doorId, startAt, endAt } = appointment
  const day = getLocalDay(facility.timeZone, startAt)
  const found = await findNearestSlots(toSearchedSite(site, appointment), {
    load: appointment,
    minutes: (endAt - startAt) / MINUTE_MS,
    firstDay: day,
    notBefore: computeEarliestStart(facility, now),
    startAt,
    preferred: doors.filter(({ id }) => id === doorId),
    allowedDoors: doors.filter(({ id, name }) => request.hours !== null || !isAtDoor(request, id, name)),
    isAccepted: (slot) => !isCleared(facility, request, slot),
  })
  if (found.slots[0]) return found.slots[0]
  const reasons = listReasons(facility, found.refusals)
  return `No slot outside of what is cleared is free on ${formatDateWithWeekday(day)}${reasons}.`
}

/** The free slot nearest to the same local time, on the first target date that has one, at its own door if that is free. */
async function findOtherDay(site: ClearedSite, appointment: AppointmentRecord, request: ClearRequest, now: number) {
  const { facility, doors } = site
  const { timeZone } = facility
  const { doorId, startAt, endAt } = appointment
  const { cleared, date } = request
  const policy = request.policy as Parameters<typeof getTargetDates>[0]
  const days = { day: getLocalDay(timeZone, startAt), cleared, today: getLocalDay(timeZone, now), date }
  const { first, last } = getTargetDates(policy, days, ROLLOVER_DAYS)
  const refusals: DayRefusal[] = []
  for (let firstDay = first; firstDay <= last; firstDay++) {
    const found = await findNearestSlots(toSearchedSite(site, appointment), {
      load: appointment,
      minutes: (endAt - startAt) / MINUTE_MS,
      firstDay,
      notBefore: computeEarliestStart(facility, now),
      startAt: getSameTimeOn(timeZone, firstDay, startAt),
      preferred: doors.filter(({ id }) => id === doorId),
    })
    if (found.slots[0]) return found.slots[0]
    refusals.push(...found.refusals)
  }
  return `${noSlotError(facility, refusals).message.slice(0, -1)}${listReasons(facility, refusals)}.`
}

/** Whether a slot is at the cleared door and within the cleared hours. All doors are cleared if none is given, and all hours. */
function isCleared(
  { timeZone }: Facility,
  { doorId, hours }: ClearRequest,
  { door, from, to }: { door: Door } & Span,
): boolean {
  const isDoor = doorId === null || isAtDoor({ doorId }, door.id, door.name)
  return isDoor && (hours === null || isWithinHours(timeZone, hours, { from, to }))
}

function isAtDoor({ doorId }: Pick<ClearRequest, 'doorId'>, id: string, name: string): boolean {
  return doorId !== null && (id === doorId.toLowerCase() || name === doorId)
}

/** `: all slots are taken; the time is blocked` */
function listReasons(facility: Facility, refusals: readonly DayRefusal[]): string {
  const reasons = [...new Set(refusals.map((refusal) => describeRefusal(facility, refusal)))]
  return reasons.length === 0 ? '' : `: ${reasons.join('; ')}`
}
