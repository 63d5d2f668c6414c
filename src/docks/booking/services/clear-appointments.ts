import { checkpoint } from '../../../kernel'
import { type DayNumber, MINUTE_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { toBookedSpan } from '../../facilities/rules/conflicts'
import type { AppointmentType, Door, Facility } from '../../facilities/rules/facility'
import { type AppointmentRecord, findDoors, listAppointments } from '../../queries'
import { type DateRange, getSpanOfDates, isStartWithin } from '../../rules/date-range'
import { getLocalDay } from '../../rules/zoned-time'
import { computeEarliestStart, describeRefusal, noSlotError } from '../rules/booking-rules'
import { type ClearedHours, type ClearPolicy, getSameTimeOn, getTargetDates, isWithinHours } from '../rules/clear-dates'
import type { DayRefusal, Slot } from '../rules/slot-search'
import { findNearestSlots, findRequestedDoors, ROLLOVER_DAYS, replaceAppointment } from './booking'
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
  const isAtDoor = (record: AppointmentRecord) => record.doorId === doorId.toLowerCase() || record.doorName === doorId
  const atDoor = scheduled.filter(isAtDoor)
  if (atDoor.length === 0) findRequestedDoors({ facility, doors: await findDoors(tx, facility.id) }, doorId)
  return atDoor
}

/** Decides what happens to each appointment, in their order: each leaves its slot free for the next ones and takes a new one. */
export async function planClearing(
  tx: ReadTx,
  facility: Facility,
  appointments: readonly AppointmentRecord[],
  { request, now, ctx }: { request: ClearRequest; now: number; ctx: Parameters<typeof checkpoint>[0] },
): Promise<ClearOutcome[]> {
  const doors = await findDoors(tx, facility.id)
  const occupancy = new OccupancyCache(tx, facility, now)
  const outcomes: ClearOutcome[] = []
  for (const before of appointments) {
    await checkpoint(ctx)
    const outcome = await clearAppointment({ facility, doors, occupancy }, before, request, now)
    outcomes.push(outcome)
  }
  return outcomes
}

interface ClearedSite {
  facility: Facility
  doors: readonly Door[]
  occupancy: OccupancyCache
}

async function clearAppointment(
  site: ClearedSite,
  before: AppointmentRecord,
  request: ClearRequest,
  now: number,
): Promise<ClearOutcome> {
  if (before.step !== null || before.startAt <= now) return { outcome: 'skipped', before, message: 'It has begun.' }
  const { policy } = request
  if (policy === 'cancel') return { outcome: 'cancelled', before, after: { ...before, status: 'cancelled' } }
  const { occupancy } = site
  const own = toBookedSpan(before)
  // Loads its day, without which it could not be removed.
  await occupancy.list(own)
  await occupancy.remove(own)
  const slot = await findNewSlot(site, before, { ...request, policy }, now)
  if (Array.isArray(slot)) {
    await occupancy.add(own)
    return { outcome: 'refused', before, message: explainRefusals(site.facility, slot) }
  }
  await occupancy.add({ ...own, doorId: slot.door.id, from: slot.from, to: slot.to })
  const after = { ...before, doorId: slot.door.id, doorName: slot.door.name, startAt: slot.from, endAt: slot.to }
  return { outcome: 'moved', before, after }
}

/** The free slot nearest to the same local time, on the first target date that has one, at its own door if that is free. Otherwise why none has. */
async function findNewSlot(
  { facility, doors, occupancy }: ClearedSite,
  appointment: AppointmentRecord,
  { policy, cleared, date }: ClearRequest & { policy: Exclude<ClearPolicy, 'cancel'> },
  now: number,
): Promise<Slot | DayRefusal[]> {
  const { timeZone } = facility
  const { doorId, startAt, endAt } = appointment
  const days = { day: getLocalDay(timeZone, startAt), cleared, today: getLocalDay(timeZone, now), date }
  const { first, last } = getTargetDates(policy, days, ROLLOVER_DAYS)
  const refusals: DayRefusal[] = []
  for (let firstDay = first; firstDay <= last; firstDay++) {
    const found = await findNearestSlots(
      { facility, doors, busy: (span) => occupancy.list(span), replaces: replaceAppointment(appointment) },
      {
        load: appointment,
        minutes: (endAt - startAt) / MINUTE_MS,
        firstDay,
        notBefore: computeEarliestStart(facility, now),
        startAt: getSameTimeOn(timeZone, firstDay, startAt),
        preferred: doors.filter(({ id }) => id === doorId),
      },
    )
    if (found.slots[0]) return found.slots[0]
    refusals.push(...found.refusals)
  }
  return refusals
}

/** `No free slot on 2026-11-24 (Tuesday): all slots are taken.` */
function explainRefusals(facility: Facility, refusals: readonly DayRefusal[]): string {
  const reasons = new Set(refusals.map((refusal) => describeRefusal(facility, refusal)))
  return `${noSlotError(facility, refusals).message.slice(0, -1)}: ${[...reasons].join('; ')}.`
}
