import { type Context, checkpoint, type ErrorCode, StudioError, withinTransaction } from '../../../kernel'
import { type DayNumber, MINUTE_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import type { Door } from '../../facilities/rules/facility'
import type { ChangedAppointment } from '../../queries'
import type { WorkBudget } from '../rules/fewest-moves'
import { makeRoom, type RoomResult } from '../rules/make-room'
import { PlacementCheck, placeAt } from '../rules/placement'
import { type Slot, type SlotRequest, searchDay } from '../rules/slot-search'
import { getFacilityCapacity, isOverlapping, type Span } from '../rules/spans'
import type { BookingPlan } from './booking-plan'
import { findPlace, runSearch, type SearchedSite, type WantedPlace } from './find-place'
import { loadRoomDay, type RoomDay } from './room-day'
import type { RoomMode } from './room-policy'

/** A place, and who moves to another door for it. */
export interface FoundRoom {
  slot: Slot
  moves: ChangedAppointment[]
  /** False if a search for an earlier start ended before it knew whether room can be made there. */
  isComplete: boolean
}

/** What all searches of a call may do: some hundred milliseconds, while bookings at the facility wait. */
const WORK = 1_000_000

const SLOT_ERRORS: readonly ErrorCode[] = ['facility_closed', 'fully_booked', 'no_slot', 'slot_unavailable']

type Ctx = Pick<Context, 'signal' | 'budget' | 'clock'>

/**
 * Finds a free place, as `findPlace` does, or else one for which others move to other doors at their own times. A free slot of a date goes before
 * an earlier one for which others move. Throws the error of `findPlace`, with what the search for room says.
 */
export async function findPlaceOrRoom(
  ctx: Ctx,
  tx: ReadTx,
  { site, wanted, mode }: { site: SearchedSite; wanted: WantedPlace; mode: Exclude<RoomMode, null> },
): Promise<FoundRoom> {
  const search = new RoomSearch(ctx, tx, site, wanted)
  const isAsked = mode === 'each-date'
  for (const plan of isAsked ? splitByDate(wanted.plan) : [wanted.plan]) {
    const slot = await findFree(site, { ...wanted, plan })
    const found = slot ? { slot, moves: [] } : await search.find(plan)
    if (found) return { ...found, isComplete: search.isComplete }
  }
  const slot = await findPlace(site, wanted).catch((error) => search.refuse(error, isAsked))
  return { slot, moves: [], isComplete: search.isComplete }
}

function splitByDate(plan: BookingPlan): BookingPlan[] {
  const count = plan.lastDay - plan.firstDay + 1
  return Array.from({ length: count }, (_, index) => {
    const day = plan.firstDay + index
    return { ...plan, firstDay: day, lastDay: day }
  })
}

async function findFree(site: SearchedSite, wanted: WantedPlace): Promise<Slot | null> {
  try {
    return await findPlace(site, wanted)
  } catch (error) {
    if (isSlotError(error)) return null
    throw error
  }
}

function isSlotError(error: unknown): error is StudioError {
  return error instanceof StudioError && SLOT_ERRORS.includes(error.code)
}

/** A start at which others at other doors make room. */
export interface RoomStart {
  start: number
  door: Door
  moves: number
}

/**
 * The starts of a date at which room can be made, without those in `free`. `isComplete` is false if the search ended before it knew all of
 * them.
 */
export async function listRoomStarts(
  ctx: Ctx,
  tx: ReadTx,
  { site, wanted, free }: { site: RoomSite; wanted: WantedPlace; free: ReadonlySet<number> },
): Promise<{ starts: RoomStart[]; isComplete: boolean }> {
  return new RoomSearch(ctx, tx, site, wanted).list(wanted.plan, free)
}

type RoomSite = Pick<SearchedSite, 'facility' | 'doors'>

type FoundMoves = Omit<FoundRoom, 'isComplete'>

/** The searches of a call, which share its budget. */
class RoomSearch {
  readonly #budget: WorkBudget = { left: WORK }
  /** False if a search ended before it knew. */
  isComplete = true
  readonly #call: Ctx

  constructor(
    private readonly ctx: Ctx,
    private readonly tx: ReadTx,
    private readonly site: RoomSite,
    private readonly wanted: WantedPlace,
  ) {
    this.#call = withinTransaction(ctx)
  }

  /** The earliest start of the plan for which room can be made. */
  async find(plan: BookingPlan): Promise<FoundMoves | null> {
    for (let day = plan.firstDay; day <= plan.lastDay; day++) {
      if (this.#budget.left <= 0) {
        this.isComplete = false
        return null
      }
      const found = await this.#findOn(day, plan)
      if (found) return found
    }
    return null
  }

  async list(plan: BookingPlan, free: ReadonlySet<number>): Promise<{ starts: RoomStart[]; isComplete: boolean }> {
    const starts: RoomStart[] = []
    for await (const { slot, moves } of this.#findAllOn(plan.firstDay, plan, free))
      starts.push({ start: slot.from, door: slot.door, moves: moves.length })
    return { starts, isComplete: this.isComplete }
  }

  /**
   * Throws the error of a place that is not free. It never says that there is no room if that is not certain. Callers that did not
   * ask for room get it as a reason for the time.
   */
  refuse(error: unknown, isAsked: boolean): never {
    if (!isSlotError(error)) throw error
    const message = this.isComplete
      ? 'moving other appointments to other doors makes no room'
      : 'the search for other doors ended before it was complete: the facility may still make room by hand'
    const path = isAsked ? 'makeRoom' : this.wanted.plan.startAt === null ? 'targetDate' : 'startTime'
    throw error.copyWith({ details: [...error.details, { path, message }] })
  }

  async #findOn(day: DayNumber, plan: BookingPlan): Promise<FoundMoves | null> {
    for await (const found of this.#findAllOn(day, plan)) return found
    return null
  }

  /** By start, without those in `free`. */
  async *#findAllOn(
    day: DayNumber,
    plan: BookingPlan,
    free: ReadonlySet<number> = new Set(),
  ): AsyncGenerator<FoundMoves, void> {
    const { facility, doors } = this.site
    const known = await loadRoomDay(this.tx, { facility, doors }, { day, now: this.ctx.clock.now() })
    if (known === null) return
    await checkpoint(this.#call)
    const minutesMs = plan.minutes * MINUTE_MS
    for (const [from, possible] of await this.#listStarts(known, { ...plan, firstDay: day, lastDay: day })) {
      if (free.has(from)) continue
      if (this.#budget.left <= 0) {
        this.isComplete = false
        return
      }
      const numbers = possible.map((door) => known.doors.indexOf(door))
      const result = await this.#search(known, { from, to: from + minutesMs }, numbers)
      if (result.door !== null) {
        const slot = { from, to: from + minutesMs, door: known.doors[result.door]! }
        yield { slot, moves: toMoves(known, result.moves) }
      } else if (!result.isComplete || !known.isWhole) this.isComplete = false
    }
  }

  /** The starts at which only those who may move are in the way, each with its doors, by position. */
  async #listStarts({ busy }: RoomDay, plan: BookingPlan): Promise<Iterable<[number, Door[]]>> {
    const { facility, doors } = this.site
    const { load, allowedDoors = doors } = this.wanted
    const request: SlotRequest = {
      ...{ facility, capacity: getFacilityCapacity(facility, doors), doors: allowedDoors, load },
      ...plan,
    }
    const { startAt } = plan
    if (startAt === null) {
      const read = (span: Span) => Promise.resolve(busy.filter((one) => isOverlapping(one, span)))
      return (await runSearch(searchDay(request), read)).starts
    }
    const check = new PlacementCheck(facility, doors, busy)
    const isPossible = (door: Door) => placeAt(check, { ...request, doors: [door] }, startAt).slot !== null
    const possible = allowedDoors.filter(isPossible).sort((a, b) => a.position - b.position)
    return possible.length > 0 ? [[startAt, possible]] : []
  }

  async #search({ doors, occupants }: RoomDay, span: Span, numbers: readonly number[]): Promise<RoomResult> {
    const bufferMs = this.site.facility.bufferMinutes * MINUTE_MS
    const search = makeRoom({ occupants, doorCount: doors.length, bufferMs }, { ...span, doors: numbers }, this.#budget)
    for (;;) {
      const step = search.next()
      await checkpoint(this.#call)
      if (step.done) return step.value
    }
  }
}

function toMoves({ appointments, doors }: RoomDay, moves: ReadonlyMap<number, number>): ChangedAppointment[] {
  return [...moves].map(([index, number]) => {
    const before = appointments[index]!
    const { id, name } = doors[number]!
    return { before, after: { ...before, doorId: id, doorName: name } }
  })
}
