import { inputError } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import { letOthersRun } from '../../../kernel/work/budget'
import type { ReadTx } from '../../../storage'
import type { Door, Facility } from '../../facilities/rules/facility'
import { listBusySpans } from '../../queries'
import { formatLocalDateTime } from '../../rules/zoned-time'
import { dateUnavailableError, noSlotError, slotUnavailableError } from '../rules/booking-rules'
import { getDecisiveSpan, type Replacement } from '../rules/limits'
import type { Load } from '../rules/load'
import { listNearestSlots, PlacementCheck, placeAt } from '../rules/placement'
import {
  type DayAvailability,
  type DayRefusal,
  type Search,
  type Slot,
  type SlotRequest,
  searchDay,
  searchSlot,
} from '../rules/slot-search'
import { type BusySpan, getFacilityCapacity, type Span } from '../rules/spans'
import { type BookingPlan, limitLastDay, ROLLOVER_DAYS } from './booking-plan'

/** A facility, locked by the transaction, and what is booked there. */
export interface SearchedSite {
  facility: Facility
  /** All doors of the facility. */
  doors: readonly Door[]
  busy(span: Span): Promise<readonly BusySpan[]>
  /** What the change gives up, which `busy` leaves out. */
  replaces?: Replacement | undefined
}

/** The active or inactive doors that a request accepts: the one with the ID or the name, or all. Throws `invalid` if there is none. */
export function findRequestedDoors(
  { facility, doors }: Pick<SearchedSite, 'facility' | 'doors'>,
  doorId: string | null | undefined,
): readonly Door[] {
  if (doorId == null) return doors
  const door = doors.find(({ id }) => id === doorId.toLowerCase()) ?? doors.find(({ name }) => name === doorId)
  if (door) return [door]
  throw inputError([{ path: 'doorId', message: `there is no door ${doorId} at ${facility.code}` }])
}

export interface WantedPlace {
  load: Load
  plan: BookingPlan
  allowedDoors?: readonly Door[]
  /** The door of an appointment that stays there if the requested start is free at it. */
  preferredDoorId?: string
}

/** Finds the requested start, or the earliest free one. Throws the error for a place that is not free or for dates without a free slot. */
export async function findPlace(
  { facility, doors, busy, replaces }: SearchedSite,
  { load, plan, allowedDoors = doors, preferredDoorId }: WantedPlace,
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
  const preferred = allowedDoors.filter(({ id }) => id === preferredDoorId)
  const stay = preferred.length === 0 ? null : placeAt(check, { ...request, doors: preferred }, startAt).slot
  if (stay) return stay
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
