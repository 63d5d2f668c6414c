import { expect } from 'vitest'
import type { AppointmentTable } from '../../../src/docks/booking/migrations'
import { listEvents } from '../../../src/docks/events/operations/list-events'
import type { Door, Facility } from '../../../src/docks/facilities/rules/facility'
import type { acceptPlan } from '../../../src/docks/planning/operations/accept-plan'
import { findDoors, findFacility } from '../../../src/docks/queries'
import { docksTables } from '../../../src/docks/queries/docks-tables'
import type { Operation } from '../../../src/kernel'
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/time'
import { bruteForce } from '../booking/rules/brute-force-scheduler'
import { type WallClock, wallClockAround } from '../booking/rules/wall-clock-table'
import type { DockOffice } from '../dock-fixtures'

export type Report = typeof acceptPlan extends Operation<any, infer Out, any> ? NonNullable<Out['_output']> : never

/** All that a plan can depend on or change. */
export interface Snapshot {
  facility: Facility
  doors: readonly Door[]
  /** By ID. */
  appointments: ReadonlyMap<string, AppointmentTable>
  holds: readonly Stay[]
  /** The kinds of the changes of each appointment, by its ID. */
  history: ReadonlyMap<string, string[]>
  lastEvent: number
  now: number
}

interface Stay {
  id: string
  door_id: string
  type: string
  carrier_name: string | null
  pallet_count: number | null
  start_at: number
  end_at: number
}

export async function takeSnapshot(office: DockOffice, code = 'DC1'): Promise<Snapshot> {
  const now = office.ctx.clock.now()
  const { lastId } = await office.run(listEvents, { facilityCode: code })
  return office.db.read(async (tx) => {
    const docks = docksTables(tx)
    const { id, tenant_id } = await docks
      .selectFrom('facility')
      .select(['id', 'tenant_id'])
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
    const rows = await docks.selectFrom('appointment').selectAll().where('facility_id', '=', id).execute()
    const held = await docks.selectFrom('slot_hold').selectAll().where('facility_id', '=', id).execute()
    const changes = await docks.selectFrom('appointment_change').selectAll().orderBy('id').execute()
    const history = new Map(rows.map((row) => [row.id, [] as string[]]))
    for (const { appointment_id, kind } of changes) history.get(appointment_id)?.push(kind)
    return {
      ...{ facility: (await findFacility(tx, tenant_id, { id }))!, doors: await findDoors(tx, id), history, now },
      appointments: new Map(rows.map((row) => [row.id, row])),
      holds: held.filter(({ expires_at }) => expires_at > now),
      lastEvent: lastId,
    }
  })
}

/** Asserts that the answer is what happened between the snapshots beside the bookings of `others`, and that it breaks no rule of the facility. */
export async function expectSoundAcceptance(
  office: DockOffice,
  {
    before,
    after,
    report,
    date,
    others = [],
  }: { before: Snapshot; after: Snapshot; report: Report; date: string; others?: readonly string[] },
): Promise<void> {
  const moved = report.results.filter(({ outcome }) => outcome === 'moved')
  expect([report.moved, report.refused]).toEqual([moved.length, report.results.length - moved.length])
  const faults = moved.flatMap((move) => findFaults(before, after, { move, date }))
  expect(faults).toEqual([])
  const ids = new Set(moved.map(({ id }) => id))
  for (const [id, row] of after.appointments) {
    const kinds = before.history.get(id) ?? []
    expect(after.history.get(id)).toEqual(ids.has(id) ? [...kinds, 'rescheduled'] : kinds)
    if (!ids.has(id)) expect(row).toEqual(before.appointments.get(id))
  }
  expect(after.appointments.size).toBe(before.appointments.size)
  expect(findExceeded(before, after, date)).toEqual([])
  const { events } = await office.run(listEvents, { facilityCode: 'DC1', since: before.lastEvent, limit: 1000 })
  expect(events.map(({ data }) => data.appointment.id).sort()).toEqual([...ids, ...others].sort())
  const late = moved.map(({ id, delayMinutes }) => {
    const { step } = before.appointments.get(id)!
    return delayMinutes * (step === 'checked_in' ? 2 : 1)
  })
  expect(report.delayMinutes).toBe(late.reduce((sum, minutes) => sum + minutes, 0))
}

function findFaults(
  before: Snapshot,
  after: Snapshot,
  { move, date }: { move: Report['results'][number]; date: string },
): string[] {
  const was = before.appointments.get(move.id)!
  const is = after.appointments.get(move.id)!
  const name = `${move.referenceNumber} (${move.startTime} ${move.doorName} -> ${move.newStartTime} ${move.newDoorName})`
  const doorName = after.doors.find(({ id }) => id === is.door_id)?.name
  const { slotMinutes, moveAnnounced } = before.facility
  const clock = clockOf(before, date)
  const minute = Math.ceil(before.now / MINUTE_MS) * MINUTE_MS
  const slotMs = slotMinutes * MINUTE_MS
  const isWaiting = was.step === 'checked_in'
  const earliest = isWaiting ? minute : was.start_at <= minute ? minute + slotMs : was.start_at
  const { date: day, time } = clock.minutes.find(({ at }) => at === is.start_at)!
  const isAligned = (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) % slotMinutes === 0
  const own = ['door_id', 'start_at', 'end_at', 'updated_at', 'sequence', 'door_announced_at'] as const
  const others = (row: AppointmentTable) =>
    JSON.stringify({ ...row, ...Object.fromEntries(own.map((key) => [key, 0])) })
  const checks = {
    'is not as the answer says': is.start_at !== Date.parse(move.newStartTime) || doorName !== move.newDoorName,
    'was not as the answer says': was.start_at !== Date.parse(move.startTime),
    'has another length': is.end_at - is.start_at !== was.end_at - was.start_at,
    'has another delay': move.delayMinutes !== Math.max(0, is.start_at - was.start_at) / MINUTE_MS,
    'changed beyond its place': others(was) !== others(is) || is.sequence !== was.sequence + 1,
    'had to stay':
      was.status !== 'scheduled' ||
      (was.step !== null && !isWaiting) ||
      was.pinned === 1 ||
      (was.door_announced_at !== null && !moveAnnounced),
    'is on another date': day !== date,
    'starts too early': is.start_at < earliest,
    'starts between two slots': !isAligned && is.start_at !== was.start_at,
    'is where it cannot be': !isPossible(after, { row: is, startAt: is.start_at, doorIds: [is.door_id], date }),
  }
  return Object.entries(checks).flatMap(([fault, isSo]) => (isSo ? [`${name} ${fault}`] : []))
}

/** Whether one of the doors takes the appointment then, beside all others where they are: by hours, features and buffers, not by limits. */
function isPossible(
  snapshot: Snapshot,
  { row, startAt, doorIds, date }: { row: AppointmentTable; startAt: number; doorIds: readonly string[]; date: string },
): boolean {
  const { facility, appointments, holds, doors, now } = snapshot
  const minute = Math.ceil(now / MINUTE_MS) * MINUTE_MS
  const others = [...appointments.values()].filter(({ id, status }) => id !== row.id && status !== 'cancelled')
  // A truck may be early, and is expected to leave within a slot.
  const trucks = others.filter(
    ({ status, step }) => status === 'scheduled' && (step === 'at_door' || step === 'loading'),
  )
  const present = trucks.map((one) => ({
    ...one,
    start_at: Math.min(one.start_at, minute),
    end_at: one.end_at > minute ? one.end_at : minute + facility.slotMinutes * MINUTE_MS,
  }))
  const busy = [...others, ...present, ...holds].map((one) => ({
    ...{ doorId: one.door_id, from: one.start_at, to: one.end_at },
  }))
  const { requirements, equipment_height: equipmentHeight, carrier_name: carrierName, pallet_count: palletCount } = row
  return doorIds.some((doorId) => {
    const { slot } = bruteForce({
      facility: { ...facility, slotMinutes: 1, capacity: 10_000, limits: [] },
      doors: doors.filter(({ id }) => id === doorId),
      load: { type: row.type, requirements, equipmentHeight, carrierName, palletCount } as never,
      minutes: (row.end_at - row.start_at) / MINUTE_MS,
      ...{ dates: [date], notBefore: 0, startAt, clock: clockOf(snapshot, date) },
      busy: busy.filter((one) => one.doorId === doorId),
    })
    return slot !== null
  })
}

/** Where limits count more than they allow, and more than before; and where too many are concurrent with one that was not there before. */
function findExceeded(before: Snapshot, after: Snapshot, date: string): string[] {
  const { facility, doors } = after
  const clock = clockOf(after, date)
  const capacity = facility.capacity ?? doors.filter(({ active }) => active).length
  const staysOf = ({ appointments, holds }: Snapshot): Stay[] => [
    ...[...appointments.values()].filter(({ status }) => status !== 'cancelled'),
    ...holds,
  ]
  const [booked, now] = [staysOf(before), staysOf(after)]
  const had = new Map(booked.map((stay) => [stay.id, stay]))
  const isThere = (stay: Stay | undefined, at: number) => stay && stay.start_at <= at && at < stay.end_at
  const moments = [...now.map(({ start_at }) => start_at), ...booked.map(({ end_at }) => end_at)]
  const crowded = moments.filter((at) => {
    const there = now.filter((stay) => isThere(stay, at))
    return there.length > capacity && there.some((stay) => !isThere(had.get(stay.id), at))
  })
  const exceeded = facility.limits.flatMap((limit) => {
    const groups = limit.eachCarrier ? new Set(now.flatMap(({ carrier_name }) => carrier_name ?? [])) : [null]
    return [...groups].flatMap((carrier) => {
      const amountOf = (one: Stay) => {
        if (limit.types && !(limit.types as string[]).includes(one.type)) return 0
        if (limit.carriers && !limit.carriers.includes(one.carrier_name ?? '')) return 0
        if (carrier !== null && one.carrier_name !== carrier) return 0
        return limit.unit === 'pallets' ? (one.pallet_count ?? 0) : 1
      }
      const sum = (stays: readonly Stay[], isCounted: (one: Stay) => boolean) =>
        stays.filter(isCounted).reduce((total, one) => total + amountOf(one), 0)
      const nameOf = (one: Stay) => {
        const { date, time } = clock.minutes[(one.start_at - clock.minutes[0]!.at) / MINUTE_MS]!
        return limit.per === 'day' ? date : `${date} ${time.slice(0, 2)}`
      }
      const tests =
        limit.per === 'moment'
          ? now.map(
              ({ start_at: at }) =>
                [`${new Date(at).toISOString()}`, (one: Stay) => one.start_at <= at && at < one.end_at] as const,
            )
          : [...new Set(now.map(nameOf))].map((name) => [name, (one: Stay) => nameOf(one) === name] as const)
      return tests.flatMap(([when, isCounted]) => {
        const [most, count] = [Math.max(limit.max, sum(booked, isCounted)), sum(now, isCounted)]
        return count > most ? [`${limit.name}: ${count} at ${when}, and at most ${most} may be there`] : []
      })
    })
  })
  return [...exceeded, ...crowded.map((at) => `more than ${capacity} are there at ${new Date(at).toISOString()}`)]
}

const clocks = new Map<string, WallClock>()

/** The clock of the days around the date alone, because the scheduler marks every minute. */
function clockOf({ facility: { timeZone } }: Snapshot, date: string): WallClock {
  const key = `${timeZone} ${date}`
  const known = clocks.get(key)
  if (known) return known
  const from = Date.parse(`${date}T00:00:00Z`) - 40 * HOUR_MS
  const minutes = wallClockAround(timeZone, date).minutes.filter(({ at }) => from <= at && at < from + 5 * 24 * HOUR_MS)
  const shown = new Map<string, number[]>()
  for (const [index, { date: day, time }] of minutes.entries()) {
    const name = `${day} ${time}`
    shown.set(name, [...(shown.get(name) ?? []), index])
  }
  const clock = { minutes, shown }
  clocks.set(key, clock)
  return clock
}

/** The delayed ones for which a door was free at their own time: a plan moves to other doors before it moves to other times. */
export function listBetterDoors(
  before: Snapshot,
  after: Snapshot,
  { report, date }: { report: Report; date: string },
): string[] {
  const minute = Math.ceil(before.now / MINUTE_MS) * MINUTE_MS
  const doorIds = after.doors.map(({ id }) => id)
  return report.results.flatMap(({ id, referenceNumber, delayMinutes }) => {
    const was = before.appointments.get(id)!
    const isDue = was.start_at > minute || (was.step === 'checked_in' && was.start_at === minute)
    if (delayMinutes === 0 || !isDue) return []
    if (!isPossible(after, { row: was, startAt: was.start_at, doorIds, date })) return []
    const there = { ...after, appointments: new Map([...after.appointments, [id, was]]) }
    return findExceeded(before, there, date).length === 0 ? [referenceNumber] : []
  })
}
