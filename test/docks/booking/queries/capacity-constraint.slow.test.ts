import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findTenantId } from '../../../../src/access'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { type BookingRequest, bookSlot } from '../../../../src/docks/booking/services/booking'
import { planBooking } from '../../../../src/docks/booking/services/booking-plan'
import { admitCarrier } from '../../../../src/docks/carriers/operations/admit-carrier'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { deleteFacility } from '../../../../src/docks/facilities/operations/delete-facility'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { findDoors } from '../../../../src/docks/queries'
import { lockFacility, writeAppointments } from '../../../../src/docks/services/tenant-access'
import { execute } from '../../../../src/kernel'
import { type Database, openDatabase, openMemoryDatabase, tables } from '../../../../src/storage'
import { migrateDatabase } from '../../../../src/storage/operations/migrate-database'
import { migrations } from '../../../../src/studio'
import { dockCaller } from '../../../dock-caller'
import { describeWithPostgres } from '../../../storage/postgres/server'
import { contents, runOn } from '../../../storage/run-on-database'
import { DC1, load, officeWith, openDockOffice } from '../../dock-fixtures'
import { promisesOfTheCapacityGuard, raceForPlaces } from './capacity-constraint'

const onSqlite = ['insert', 'update'].map((event) => `drop trigger appointment_within_capacity_on_${event}`)
const onPostgres = ['drop trigger appointment_within_capacity on appointment']

describe('the tables of the embedded engine', () => {
  promisesOfTheCapacityGuard(() => openMemoryDatabase(migrations), { dropGuard: onSqlite, runs: 400 })

  it('accept as many appointments from two concurrent processes as the capacity allows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-capacity-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const databases = [await openDatabase(join(folder, 'studio.db'), migrations)]
    databases.push(await openDatabase(join(folder, 'studio.db'), migrations))
    for (let round = 0; round < 5; round++) expect(await raceForPlaces(databases, 2)).toBe(2)
    expect(await raceOfCarrier(databases)).toBe(3)
    for (let round = 0; round < 5; round++) expect(await raceOfDeletion(databases, `D${round}`)).toBe(1)
    for (const drop of onSqlite) await databases[0]!.write((tx) => sql.raw(drop).execute(tables<any>(tx)))
    expect(await raceForPlaces(databases, 2)).toBe(5)
    await Promise.all(databases.map((db) => db.close()))
  })

  it('refuse a booking that does not see existing appointments, with a retryable error', async () => {
    const office = await officeWith({ capacity: 1 })
    await office.run(bookAppointment, load())
    const blind = writeAppointments(office.ctx, async (tx) => {
      const { tenantId, ...facility } = await lockFacility(office.ctx, tx, { facilityCode: 'DC1' })
      const doors = (await findDoors(tx, facility.id)).slice(1)
      const site = { tenantId, facility, doors, hasScheduled: async () => false, busy: async () => [] }
      const now = office.ctx.clock.now()
      const booking = load() as unknown as BookingRequest
      return bookSlot(tx, site, {
        booking,
        plan: planBooking(facility, booking, { now }),
        now,
        id: 'blind',
        caller: { id: 'test', name: null },
      })
    })
    await expect(blind).rejects.toMatchObject({ code: 'database_busy', retryAfterSeconds: 1 })
  })
})

describeWithPostgres('the tables of PostgreSQL', (server) => {
  promisesOfTheCapacityGuard(async () => openDatabase(await server().createDatabase(), migrations), {
    dropGuard: onPostgres,
    runs: 40,
  })

  it('accept as many appointments from two concurrent processes as the capacity allows', async () => {
    const address = await server().createDatabase()
    const databases = [await openDatabase(address, migrations), await openDatabase(address, migrations)]
    for (let round = 0; round < 10; round++) expect(await raceForPlaces(databases, 2)).toBe(2)
    expect(await raceOfCarrier(databases)).toBe(3)
    for (let round = 0; round < 5; round++) expect(await raceOfDeletion(databases, `D${round}`)).toBe(1)
    await databases[0]!.write((tx) => sql.raw(onPostgres[0]!).execute(tables<any>(tx)))
    expect(await raceForPlaces(databases, 2)).toBe(5)
    await Promise.all(databases.map((db) => db.close()))
  })

  it.each([
    ['read committed', '23P01'],
    ['repeatable read', '40001'],
    ['serializable', '40001'],
  ])('accept one of two transactions that cannot see each other (%s)', async (isolation, state) => {
    const address = await server().createDatabase()
    const db = await openDatabase(address, migrations)
    const { id, doors } = await runOn(db, createFacility, { ...DC1, capacity: 1 })
    await db.close()
    const [one, other] = await Promise.all([clientOf(address), clientOf(address)])
    const insert = (client: pg.Client, door: number) =>
      client.query(
        `insert into appointment (id, tenant_id, facility_id, door_id, type, status, start_at, end_at, carrier_name,
           reference_number, created_at, updated_at, sequence)
         values ($1, 't', $2, $3, 'pickup', 'scheduled', 0, 60000, 'Acme', $1, 0, 0, 0)`,
        [`at ${door}`, id, doors[door].id],
      )
    for (const client of [one, other]) {
      await client.query(`begin isolation level ${isolation}`)
      await client.query('select count(*) from appointment')
    }
    await insert(one, 0)
    const second = insert(other, 1).then(() => other.query('commit'))
    const refused = expect(second).rejects.toMatchObject({ code: state })
    await one.query('commit')
    await refused
  })
})

describeWithPostgres('a database with appointments beyond the capacity', (server) => {
  it('is migrated to another database and back, where its constraints exist again', async () => {
    const db = await openMemoryDatabase(migrations)
    const folder = await mkdtemp(join(tmpdir(), 'studio-capacity-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const [address, file] = [await server().createDatabase(), join(folder, 'studio.db')]
    await runOn(db, createFacility, DC1)
    for (let i = 0; i < 2; i++) await runOn(db, bookAppointment, load())
    await runOn(db, updateFacility, { id: 'DC1', capacity: 1 })
    const before = await db.read(contents)
    await runOn(db, migrateDatabase, { to: address }, { current: '/data/studio.db' })
    const there = await openDatabase(address, migrations)
    expect(await there.read(contents)).toEqual(before)
    expect(await raceForPlaces([there], 1)).toBe(1)
    await runOn(db, migrateDatabase, { to: file }, { current: '/data/studio.db' })
    const back = await openDatabase(file, migrations)
    expect(await back.read(contents)).toEqual(before)
    expect(await raceForPlaces([back], 1)).toBe(1)
    await Promise.all([db, there, back].map((one) => one.close()))
  })
})

/** How many of the concurrent bookings of a carrier with a limit of three a day are accepted on that day. */
async function raceOfCarrier(databases: readonly Database[]): Promise<number> {
  await runOn(databases[0]!, createFacility, DC1)
  const terminal = { actor: { kind: 'terminal', tenant: 'default' } } as const
  const tenantId = (await databases[0]!.read((tx) => findTenantId(terminal, tx)))!
  await runOn(databases[0]!, admitCarrier, { id: 'DC1', name: 'Blue Freight', perDay: 3 })
  const actor = dockCaller({ tenantId, carrier: 'Blue Freight' })
  const { ctx } = await openDockOffice()
  const book = (db: Database) =>
    execute(bookAppointment, load(), { ...ctx, ids: { ...ctx.ids, uuid: () => randomUUID() }, db, actor })
  await Promise.allSettled(Array.from({ length: 12 }, (_, n) => book(databases[n % databases.length]!)))
  const list = { facilityCode: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' }
  return (await runOn(databases[0]!, listAppointments, list)).length
}

/** How many of a deletion of a facility and a booking there at the same time are accepted. */
async function raceOfDeletion(databases: readonly Database[], code: string): Promise<number> {
  await runOn(databases[0]!, createFacility, { ...DC1, code })
  const outcomes = await Promise.allSettled([
    runOn(databases[0]!, deleteFacility, { id: code }),
    runOn(databases[1]!, bookAppointment, load({ facilityCode: code })),
  ])
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

async function clientOf(address: string): Promise<pg.Client> {
  const client = new pg.Client(address)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
