import { expect } from 'vitest'
import type { BookingLimit, Door } from '../../../src/docks/facilities/rules/facility'
import { docksTables } from '../../../src/docks/queries/docks-tables'
import type { Database } from '../../../src/storage'

/**
 * What making room may do, by trying all doors of all appointments. It reads the tables itself and shares no rule with the code that it checks. The
 * facility is in UTC and always has the same hours at all doors.
 */
export interface Dock {
  now: number
  bufferMs: number
  capacity: number
  limits: readonly BookingLimit[]
  blocked: readonly { from: number; to: number; doors: string[] | null }[]
  doors: readonly Pick<Door, 'id' | 'name' | 'types' | 'features' | 'maxHeight' | 'active'>[]
  /** The appointments that are not cancelled, and the holds. */
  stays: readonly Stay[]
  changes: readonly { appointmentId: string; kind: string; caller: string; madeRoomFor: string | null }[]
}

/** A load and its time. */
export interface WantedStay {
  from: number
  to: number
  type: 'pickup' | 'delivery'
  carrier: string | null
  pallets: number | null
  needs: readonly string[]
  height: number | null
}

interface Stay extends WantedStay {
  id: string
  doorId: string
  reference: string | null
  sequence: number
  mayMove: boolean
}

const HOUR = 3_600_000

export function readDock(db: Database, code: string, now: number): Promise<Dock> {
  return db.read(async (tx) => {
    const docks = docksTables(tx)
    const facility = await docks.selectFrom('facility').selectAll().where('code', '=', code).executeTakeFirstOrThrow()
    const rowsOf = (table: 'appointment' | 'slot_hold') =>
      (docks as any).selectFrom(table).selectAll().where('facility_id', '=', facility.id).orderBy('id').execute()
    const appointments: any[] = (await rowsOf('appointment')).filter(({ status }: any) => status !== 'cancelled')
    const holds: any[] = (await rowsOf('slot_hold')).filter(({ expires_at }: any) => expires_at > now)
    const doors = await docks.selectFrom('door').selectAll().where('facility_id', '=', facility.id).execute()
    const changes = await docks.selectFrom('appointment_change').selectAll().orderBy('id').execute()
    const toStay = (row: any): Stay => ({
      ...{ id: row.id, doorId: row.door_id, from: row.start_at, to: row.end_at, type: row.type },
      ...{ carrier: row.carrier_name, pallets: row.pallet_count, height: row.equipment_height },
      ...{ needs: row.requirements?.split(' ') ?? [], reference: row.reference_number ?? null },
      sequence: row.sequence ?? 0,
      mayMove:
        row.status === 'scheduled' &&
        row.step === null &&
        row.start_at > now &&
        row.pinned === 0 &&
        (facility.move_announced === 1 || row.door_announced_at === null),
    })
    return {
      now,
      bufferMs: facility.buffer_minutes * 60_000,
      capacity: facility.capacity ?? doors.filter(({ active }) => active === 1).length,
      limits: JSON.parse(facility.limits),
      blocked: JSON.parse(facility.blocked_times).map((one: any) => ({
        ...one,
        from: Date.parse(one.from),
        to: Date.parse(one.to),
      })),
      doors: doors.map(({ id, name, types, features, max_height, active }) => ({
        ...{ id, name, maxHeight: max_height, active: active === 1 },
        ...{ types: JSON.parse(types), features: JSON.parse(features) },
      })),
      stays: [...appointments, ...holds].map(toStay),
      changes: changes.map(({ appointment_id, kind, caller, details }) => ({
        ...{ appointmentId: appointment_id, kind, caller },
        madeRoomFor: JSON.parse(details ?? '{}').madeRoomFor?.id ?? null,
      })),
    }
  })
}

type Span = Pick<WantedStay, 'from' | 'to'>
const isNear = (one: Span, other: Span, buffer = 0) => one.from < other.to + buffer && other.from < one.to + buffer

function fits({ doors, blocked }: Dock, stay: WantedStay, doorId: string): boolean {
  const door = doors.find(({ id }) => id === doorId)!
  const isBlocked = blocked.some((one) => (one.doors ?? [door.name]).includes(door.name) && isNear(one, stay))
  const isHigh = door.maxHeight !== null && (stay.height ?? 0) > door.maxHeight
  const hasAll = stay.needs.every((need) => door.features.includes(need))
  return door.active && door.types.includes(stay.type) && hasAll && !isHigh && !isBlocked
}

/** Asserts that no two are at a door without the buffer between them, and that there are never more than the capacity. */
export function expectApart({ stays, bufferMs, capacity }: Dock): void {
  for (const one of stays) {
    const near = stays.filter((other) => other !== one && other.doorId === one.doorId && isNear(one, other, bufferMs))
    expect(near).toEqual([])
    expect(stays.filter(({ from, to }) => from <= one.from && one.from < to).length).toBeLessThanOrEqual(capacity)
  }
}

/** Asserts that a booking with this ID did nothing but that, and these moves, each recorded once. */
export function expectOnlyMoves(
  before: Dock,
  after: Dock,
  booked: { id: string; moves: readonly { id: string; fromDoor: string; toDoor: string }[] },
): void {
  const nameOf = (doorId: string) => after.doors.find(({ id }) => id === doorId)!.name
  const added = after.stays.filter(({ id }) => !before.stays.some((stay) => stay.id === id))
  expect(added.map(({ id }) => id)).toEqual([booked.id])
  const moved = before.stays.flatMap((stay) => {
    const now = after.stays.find(({ id }) => id === stay.id)!
    if (now.doorId === stay.doorId) expect(now).toEqual(stay)
    else expect(now).toEqual({ ...stay, doorId: now.doorId, sequence: stay.sequence + 1 })
    return now.doorId === stay.doorId ? [] : [{ ...now, mayMove: stay.mayMove, fromDoor: nameOf(stay.doorId) }]
  })
  const toMove = ({ id, fromDoor, doorId }: (typeof moved)[number]) => ({ id, fromDoor, toDoor: nameOf(doorId) })
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  expect(booked.moves.map(({ id, fromDoor, toDoor }) => ({ id, fromDoor, toDoor })).sort(byId)).toEqual(
    moved.map(toMove).sort(byId),
  )
  for (const { id, mayMove } of moved) expect([id, mayMove]).toEqual([id, true])
  for (const stay of [...added, ...moved]) expect([stay.id, fits(after, stay, stay.doorId)]).toEqual([stay.id, true])
  expect(isWithinLimits(before, added[0]!)).toBe(true)
  const recorded = after.changes.slice(before.changes.length)
  const ofMoves = moved.map(({ id }) => ({
    ...{ appointmentId: id, kind: 'rescheduled', caller: 'make-room' },
    madeRoomFor: booked.id,
  }))
  const sorted = (list: Dock['changes']) => list.map((one) => JSON.stringify(one)).sort()
  expect(sorted(recorded.filter(({ appointmentId }) => appointmentId !== booked.id))).toEqual(sorted(ofMoves))
}

/** The fewest moves with which a load can be at one of the doors; null if there are none. Whether the hours allow it is not checked. */
export function findFewestMoves(dock: Dock, wanted: WantedStay, allowed: (door: string) => boolean): number | null {
  const { stays, bufferMs, capacity, doors } = dock
  const momentsOf = [wanted, ...stays.filter((stay) => isNear(stay, wanted))].map(({ from }) => from)
  const isFull = momentsOf.some(
    (at) =>
      wanted.from <= at && at < wanted.to && stays.filter(({ from, to }) => from <= at && at < to).length >= capacity,
  )
  if (isFull || !isWithinLimits(dock, wanted)) return null
  const fitting = (stay: WantedStay) => doors.map(({ id }) => id).filter((id) => fits(dock, stay, id))
  const nameOf = (doorId: string) => doors.find(({ id }) => id === doorId)!.name
  const choices = [
    { ...wanted, at: null as string | null, doorIds: fitting(wanted).filter((id) => allowed(nameOf(id))) },
    ...stays
      .filter(({ from }) => Math.abs(from - wanted.from) < 18 * HOUR)
      .map((stay) => ({
        ...stay,
        at: stay.doorId as string | null,
        doorIds: stay.mayMove ? [stay.doorId, ...fitting(stay).filter((id) => id !== stay.doorId)] : [stay.doorId],
      })),
  ].sort((a, b) => a.from - b.from)
  // By start, so that only the last end at each door matters: the least moves for each such state.
  let states = new Map<string, { ends: Record<string, number>; moves: number }>([['', { ends: {}, moves: 0 }]])
  for (const { from, to, at, doorIds } of choices) {
    const next: typeof states = new Map()
    for (const { ends, moves } of states.values())
      for (const doorId of doorIds) {
        if (from < (ends[doorId] ?? Number.NEGATIVE_INFINITY) + bufferMs) continue
        const after = { ends: { ...ends, [doorId]: to }, moves: moves + Number(at !== null && at !== doorId) }
        const key = doors.map(({ id }) => after.ends[id] ?? '').join()
        if (after.moves < (next.get(key)?.moves ?? Number.POSITIVE_INFINITY)) next.set(key, after)
      }
    states = next
  }
  return states.size === 0 ? null : Math.min(...[...states.values()].map(({ moves }) => moves))
}

function isWithinLimits({ limits, stays }: Dock, wanted: WantedStay): boolean {
  return limits.every((limit) => {
    const amountOf = (one: WantedStay) => {
      if (limit.types && !limit.types.includes(one.type)) return 0
      if (limit.carriers && !(one.carrier !== null && limit.carriers.includes(one.carrier))) return 0
      return limit.unit === 'pallets' ? (one.pallets ?? 0) : 1
    }
    if (amountOf(wanted) === 0) return true
    const others = stays.filter((one) => !limit.eachCarrier || one.carrier === wanted.carrier)
    const sum = (list: readonly Stay[]) => list.reduce((total, one) => total + amountOf(one), amountOf(wanted))
    const period = { hour: HOUR, day: 24 * HOUR, moment: 0 }[limit.per]
    const isSame = ({ from }: Span) => Math.floor(from / period) === Math.floor(wanted.from / period)
    if (limit.per !== 'moment') return sum(others.filter(isSame)) <= limit.max
    const moments = [wanted.from, ...others.map(({ from }) => from)].filter((at) => wanted.from <= at && at < wanted.to)
    return moments.every((at) => sum(others.filter(({ from, to }) => from <= at && at < to)) <= limit.max)
  })
}
