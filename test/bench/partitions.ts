import { sql } from 'kysely'
import { bookAppointment } from '../../src/docks/operations/book-appointment'
import { createFacility } from '../../src/docks/operations/create-facility'
import { getAppointment } from '../../src/docks/operations/get-appointment'
import { listAppointments } from '../../src/docks/operations/list-appointments'
import { partitionAppointments } from '../../src/docks/queries/partitions'
import { type AnyOperation, execute } from '../../src/kernel'
import { type Database, openDatabase, tables } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { DC1 } from '../docks/dock-fixtures'
import { postgresPrograms, type Server, startServer } from '../storage/postgres/server'
import { median, printFigure } from './figures'

const FACILITIES = 100
const PARTITIONS = 16
const CALLS = 200
const NOW = Date.parse('2026-11-16T14:00:00Z')
const HOUR = 3_600_000

/** What lookups and bookings cost with few and with many stored appointments, in one table and in partitions. */
export async function run(): Promise<void> {
  const programs = postgresPrograms()
  if (!programs)
    return console.log('  skipped: initdb and postgres are not installed (set POSTGRES_BIN to their folder)')
  const server = await startServer(programs, { durable: true })
  try {
    const few = await measure(server, 1_000)
    const many = await measure(server, 1_000_000)
    for (const form of ['table', 'partitions'] as const)
      for (const [name, ms] of Object.entries(many[form])) {
        printFigure({ name: `${name}, 1,000 appointments, ${form}`, value: few[form][name]!, unit: 'ms' })
        printFigure({ name: `${name}, 1,000,000 appointments, ${form}`, value: ms, unit: 'ms' })
        printFigure({ name: `  ${name}, ${form}: many ÷ few`, value: ms / few[form][name]!, atMost: 1.5 })
      }
    printFigure({ name: 'partitioning 1,000,000 appointments', value: many.seconds, unit: 's' })
  } finally {
    await server.remove()
  }
}

async function measure(server: Server, count: number) {
  const db = await openDatabase(await server.createDatabase(), migrations)
  try {
    await fill(db, count)
    const table = await timeCalls(db, 'A')
    const startedAt = performance.now()
    await db.write((tx) => partitionAppointments(tx, { count: PARTITIONS, onPartition: () => {} }), {
      changesSchema: true,
    })
    const seconds = (performance.now() - startedAt) / 1000
    return { table, seconds, partitions: await timeCalls(db, 'B') }
  } finally {
    await db.close()
  }
}

function runnerOn(db: Database) {
  const studio = openStudio({ env: { STUDIO_HOME: '/nowhere' }, cwd: '/', db, clock: { now: () => NOW } })
  return (op: AnyOperation, input: unknown): Promise<any> =>
    execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
}

/** Past appointments of an hour, one after the other at each facility. */
async function fill(db: Database, count: number): Promise<void> {
  const call = runnerOn(db)
  const doors = Array.from({ length: 4 }, (_, i) => ({ name: `Door ${i + 1}` }))
  for (let i = 0; i < FACILITIES; i++) await call(createFacility, { ...DC1, code: `F${i}`, doors })
  const each = count / FACILITIES
  await db.write(
    async (tx) => {
      const all = tables<any>(tx)
      await sql`alter table appointment disable trigger user`.execute(all)
      await sql`
        insert into appointment (id, tenant_id, facility_id, door_id, type, status, start_at, end_at, carrier_name,
          reference_number, created_at, updated_at, sequence)
        select gen_random_uuid(), tenant_id, facility.id, door.id, 'pickup', 'completed',
          ${sql.lit(NOW)} - number * ${sql.lit(HOUR)}, ${sql.lit(NOW)} - (number - 1) * ${sql.lit(HOUR)}, 'Acme',
          'OLD-' || number, 0, 0, 0
        from facility inner join door on door.facility_id = facility.id and door.name = 'Door 1',
          generate_series(1::bigint, ${sql.lit(each)}) as number`.execute(all)
      await sql`alter table appointment enable trigger user`.execute(all)
      await sql`analyze`.execute(all)
    },
    { changesSchema: true },
  )
}

async function timeCalls(db: Database, prefix: string): Promise<Record<string, number>> {
  const call = runnerOn(db)
  const ids: string[] = []
  const facility = (i: number) => `F${(i * 37) % FACILITIES}`
  const calls: [string, (i: number) => Promise<unknown>][] = [
    [
      'book',
      async (i) => {
        const load = { type: 'delivery', carrierName: 'Acme', targetDate: '2026-11-17', durationMinutes: 30 }
        const booked = await call(bookAppointment, {
          ...load,
          facilityCode: facility(i),
          referenceNumber: `${prefix}-${i}`,
        })
        ids.push(booked.data.id)
      },
    ],
    [
      'list a day of a facility',
      (i) => call(listAppointments, { facilityCode: facility(i), startDate: '2026-11-14', endDate: '2026-11-14' }),
    ],
    ['find a reference', (i) => call(listAppointments, { facilityCode: facility(i), referenceNumber: 'OLD-5' })],
    ['get by ID', (i) => call(getAppointment, { id: ids[i] })],
  ]
  const results: Record<string, number> = {}
  for (const [name, one] of calls) {
    const times: number[] = []
    for (let i = 0; i < CALLS; i++) {
      const startedAt = performance.now()
      await one(i)
      times.push(performance.now() - startedAt)
    }
    results[name] = median(times)
  }
  return results
}
