import { describe, expect, it, onTestFinished } from 'vitest'
import type { AppointmentTable } from '../../../src/docks/booking/migrations'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../src/docks/booking/operations/create-hold'
import { rescheduleAppointment } from '../../../src/docks/booking/operations/reschedule-appointment'
import { swapAppointments } from '../../../src/docks/booking/operations/swap-appointments'
import { listEvents } from '../../../src/docks/events/operations/list-events'
import { createFacility } from '../../../src/docks/facilities/operations/create-facility'
import type { DocksTables } from '../../../src/docks/migrations'
import { insertChange } from '../../../src/docks/queries'
import { remindOfAppointments } from '../../../src/docks/reminders/operations/remind'
import { createSeries } from '../../../src/docks/series/operations/create-series'
import { materializeSeries } from '../../../src/docks/series/operations/materialize-series'
import { completeAppointment } from '../../../src/docks/visits/operations/complete-appointment'
import { acceptOffer } from '../../../src/docks/waitlist/operations/accept-offer'
import { addToWaitlist } from '../../../src/docks/waitlist/operations/add-to-waitlist'
import { listWaitlist } from '../../../src/docks/waitlist/operations/list-waitlist'
import { offerSlots } from '../../../src/docks/waitlist/operations/offer-slots'
import { type Database, openDatabase, type ReadTx, tables } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { withResolvers } from '../../assistant/stub-model'
import { DC1, load } from '../../docks/dock-fixtures'
import { runOn } from '../run-on-database'
import { describeWithPostgres } from './server'

const hour = 3_600_000
const ONE_HOUR = { queues: [{ days: ['tue'], start: '06:00', end: '07:00' }], advanceToNextOpenDay: false }

const appointments = (tx: ReadTx) =>
  tables<DocksTables>(tx).selectFrom('appointment').selectAll().orderBy('id').execute()

/** Counts the answers: `booked`, or the error code. */
async function answers(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const outcome of await Promise.allSettled(calls)) {
    const answer = outcome.status === 'fulfilled' ? 'done' : outcome.reason.code
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}

describeWithPostgres('the docks on PostgreSQL', (server) => {
  /** Two pools on one database with a facility, as in two processes. */
  async function twoOffices(facility: Record<string, unknown>, user?: string): Promise<[Database, Database]> {
    const address = new URL(await server().createDatabase())
    if (user) {
      await server().query(
        `create role ${user} login; grant usage, create on schema public to ${user}`,
        address.pathname.slice(1),
      )
      address.username = user
    }
    const one = await openDatabase(address.href, migrations)
    const other = await openDatabase(address.href, migrations)
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])))
    await runOn(one, createFacility, { ...DC1, ...facility })
    return [one, other]
  }

  const many = (count: number, offices: readonly Database[], call: (db: Database, i: number) => Promise<unknown>) =>
    answers(Array.from({ length: count }, (_, i) => call(offices[i % offices.length]!, i)))

  describe.each([
    ['bookings with an exclusion constraint', undefined],
    ['bookings without one, because the role cannot create the extension', 'without_extension'],
  ])('%s', (_, user) => {
    it('give the last slot to exactly one caller, over all processes', async () => {
      const role = user && `${user}_last`
      const offices = await twoOffices({ ...ONE_HOUR, doors: [{ name: 'Door 1' }] }, role)
      expect(await many(30, offices, (db) => runOn(db, bookAppointment, load()))).toEqual({ done: 1, fully_booked: 29 })
    })

    it('respect the capacity over all doors', async () => {
      const role = user && `${user}_capacity`
      const doors = ['Door 1', 'Door 2', 'Door 3', 'Door 4'].map((name) => ({ name }))
      const offices = await twoOffices({ ...ONE_HOUR, doors, capacity: 2 }, role)
      expect(await many(20, offices, (db) => runOn(db, bookAppointment, load()))).toEqual({ done: 2, fully_booked: 18 })
    })
  })

  it('give one slot to one hold over all processes, and to the booking that confirms it', async () => {
    const offices = await twoOffices({ ...ONE_HOUR, doors: [{ name: 'Door 1' }] })
    const place = { facilityCode: 'DC1', type: 'delivery', startTime: '2026-11-17T06:00', durationMinutes: 60 }
    const ids: string[] = []
    const hold = async (db: Database) => ids.push((await runOn(db, createHold, place)).data.id)
    expect(await many(12, offices, hold)).toEqual({ done: 1, slot_unavailable: 11 })
    expect(await many(4, offices, (db) => runOn(db, bookAppointment, load()))).toEqual({ fully_booked: 4 })
    const confirm = (db: Database, i: number) =>
      runOn(db, confirmHold, { id: ids[0], carrierName: 'Acme', referenceNumber: `H-${i}` })
    expect(await many(6, offices, confirm)).toEqual({ done: 1, not_found: 5 })
  })

  it('book a date of a series once over all processes, while others book the same slot', async () => {
    const offices = await twoOffices({ doors: [{ name: 'Door 1' }] })
    const atNine = () => load({ startTime: '2026-11-17T09:00', targetDate: null })
    const taken = await runOn(offices[0], bookAppointment, atNine())
    const place = { facilityCode: 'DC1', type: 'delivery', carrierName: 'Acme', referencePrefix: 'S' }
    const rule = { days: ['tue'], startTime: '09:00', firstDate: '2026-11-17', durationMinutes: 60, aheadDays: 1 }
    const { data } = await runOn(offices[0], createSeries, { ...place, ...rule })
    expect(data.occurrences).toMatchObject([{ outcome: 'refused' }])
    await runOn(offices[0], cancelAppointment, { id: taken.data.id })
    await many(12, offices, (db, i) =>
      i % 3 === 2 ? runOn(db, bookAppointment, atNine()) : runOn(db, materializeSeries, {}),
    )
    const rows = (await offices[0].read(appointments)).filter(({ status }) => status === 'scheduled')
    expect(rows.map(({ start_at }) => start_at)).toEqual([Date.parse('2026-11-17T15:00:00Z')])
  })

  it('offer a freed slot to one who waits, over all processes, and book it once', async () => {
    const offices = await twoOffices({ ...ONE_HOUR, doors: [{ name: 'Door 1' }] })
    const taken = await runOn(offices[0], bookAppointment, load())
    const ids: string[] = []
    await many(4, offices, async (db) => ids.push((await runOn(db, addToWaitlist, load())).data.id))
    await many(6, offices, (db, i) =>
      i % 2 ? runOn(db, bookAppointment, load()) : runOn(db, cancelAppointment, { id: taken.data.id }),
    )
    const accepted = await many(16, offices, (db, i) =>
      i % 4 === 3
        ? runOn(db, offerSlots, {}).then(() => Promise.reject({ code: 'swept' }))
        : runOn(db, acceptOffer, { id: ids[(i + (i >> 2)) % 4] }),
    )
    expect(accepted).toMatchObject({ done: 1, swept: 4 })
    const rows = (await offices[0].read(appointments)).filter(({ status }) => status === 'scheduled')
    expect(rows).toHaveLength(1)
    expect(await runOn(offices[0], listWaitlist, { facilityCode: 'DC1' })).toHaveLength(3)
  })

  it('remind of each appointment once over all processes', async () => {
    const offices = await twoOffices({ reminderHours: 48 })
    for (let i = 0; i < 5; i++) await runOn(offices[0], bookAppointment, load({ durationMinutes: 15 }))
    // Booked before the hours in which they are reminded of.
    await offices[0].write((tx) =>
      tables<DocksTables>(tx)
        .updateTable('appointment_change')
        .set({ at: Date.parse('2026-11-01') })
        .execute(),
    )
    const made: number[] = []
    const remind = async (db: Database) => void made.push((await runOn(db, remindOfAppointments, {})).reminders)
    expect(await many(12, offices, remind)).toEqual({ done: 12 })
    expect(made.reduce((sum, count) => sum + count)).toBe(5)
  })

  it('swap two appointments under the constraints, from both sides at once', async () => {
    const offices = await twoOffices({ capacity: 1 })
    const [one, other] = [
      await runOn(offices[0], bookAppointment, load()),
      await runOn(offices[0], bookAppointment, load()),
    ]
    const swap = (db: Database, i: number) =>
      runOn(
        db,
        swapAppointments,
        i % 2 ? { id: one.data.id, otherId: other.data.id } : { id: other.data.id, otherId: one.data.id },
      )
    expect(await many(8, offices, swap)).toEqual({ done: 8 })
    const rows = await offices[0].read(appointments)
    expect(rows.map(({ id, status, sequence }) => [id, status, sequence])).toEqual(
      [one.data.id, other.data.id].sort().map((id) => [id, 'scheduled', 8]),
    )
    expect(rows.find(({ id }) => id === one.data.id)!.start_at).toBe(Date.parse(one.data.startTime))
  })

  it('have the constraint if the role is allowed to create it', async () => {
    const [db] = await twoOffices({})
    const { data } = await runOn(db, bookAppointment, load())
    const [row] = await db.read(appointments)
    const put = (changes: Partial<AppointmentTable>) =>
      db.write((tx) =>
        tables<DocksTables>(tx)
          .insertInto('appointment')
          .values({ ...row!, id: crypto.randomUUID(), reference_number: crypto.randomUUID(), ...changes })
          .execute(),
      )
    await expect(put({})).rejects.toThrow('appointment_door_free')
    await expect(put({ start_at: row!.start_at - hour / 2, end_at: row!.end_at - hour / 2 })).rejects.toThrow(
      'appointment_door_free',
    )
    await put({ start_at: row!.end_at, end_at: row!.end_at + hour })
    await put({ status: 'cancelled' })
    await expect(put({ ...row, id: crypto.randomUUID(), status: 'scheduled', end_at: row!.start_at })).rejects.toThrow(
      /check/,
    )
    await runOn(db, cancelAppointment, { id: data.id })
    await put({})
  })

  it('accept one of many bookings with the same reference, and name it to the others', async () => {
    const offices = await twoOffices({})
    const booking = load({ referenceNumber: 'PO-same' })
    expect(await many(20, offices, (db) => runOn(db, bookAppointment, booking))).toEqual({
      done: 1,
      duplicate_reference: 19,
    })
  })

  it('book, move, cancel and complete concurrently without overlap at a door', async () => {
    const offices = await twoOffices({})
    const booked: string[] = []
    await many(16, offices, async (db) => booked.push((await runOn(db, bookAppointment, load())).data.id))
    const outcomes = await many(64, offices, (db, i) => {
      const id = booked[Math.floor(i / 4)]!
      if (i % 4 === 0) return runOn(db, bookAppointment, load())
      if (i % 4 === 1) return runOn(db, rescheduleAppointment, { id, targetDate: '2026-11-18' })
      if (i % 4 === 2) return runOn(db, cancelAppointment, { id })
      return runOn(db, completeAppointment, { id })
    })
    expect(Object.keys(outcomes).sort()).toEqual(['done', 'invalid_state'])
    const rows = (await offices[0].read(appointments)).filter(({ status }) => status !== 'cancelled')
    for (const one of rows)
      for (const other of rows)
        if (one.id < other.id && one.door_id === other.door_id)
          expect(one.end_at <= other.start_at || other.end_at <= one.start_at).toBe(true)
  })

  it('list the events of all facilities without losing one whose transaction ends late', async () => {
    const [one, other] = await twoOffices({})
    await runOn(one, createFacility, { ...DC1, code: 'DC2' })
    const { data } = await runOn(one, bookAppointment, load())
    const locked = withResolvers<void>()
    const released = withResolvers<void>()
    const late = one.write(
      async (tx) => {
        await insertChange(tx, data.id, { kind: 'updated', at: 0, caller: { id: 'terminal', name: null } })
        await appointments(tx) // Then the server has the change.
        locked.resolve()
        await released.promise
      },
      { locksRows: true },
    )
    await locked.promise
    await runOn(other, bookAppointment, load({ facilityCode: 'DC2' }))
    const listed = runOn(other, listEvents, { since: 1 })
    const first = await Promise.race([
      listed.then(() => 'listed'),
      runOn(other, bookAppointment, load({ facilityCode: 'DC2' })),
    ])
    expect(first).not.toBe('listed')
    released.resolve()
    await late
    expect((await listed).events.map(({ id }: { id: number }) => id).slice(0, 2)).toEqual([2, 3])
  })

  it('create one facility of many with the same code', async () => {
    const offices = await twoOffices({})
    const twin = { ...DC1, code: 'DC2' }
    expect(await many(10, offices, (db) => runOn(db, createFacility, twin))).toEqual({ done: 1, conflict: 9 })
  })
})
