import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openDatabase } from '../../src/storage'
import { migrations } from '../../src/studio'
import { postgresPrograms, startServer } from '../storage/postgres/server'
import { clientsOf, keyFor, serve } from './dock-http'
import {
  APPOINTMENTS_A_FACILITY,
  DOORS,
  doorRow,
  FIRST_DAY,
  facilityRow,
  idOf,
  seedAppointments,
  TENANT,
} from './dock-seed'
import { median, printFigure } from './figures'

const CLIENTS = 64
const SERVERS = 4
const FACILITIES = 64
const ROUNDS = 5
const EACH = 15
const DAY_MS = 86_400_000

/** Measures four servers on one database against pgbench with the statements of a booking. Both wait for the disk. */
export async function bookingsOnPostgres(): Promise<void> {
  const programs = postgresPrograms()
  const pgbench = programs && [join(programs, 'pgbench'), '/usr/bin/pgbench'].find(existsSync)
  if (!programs || !pgbench) {
    console.log(
      '  PostgreSQL: skipped, for initdb, postgres and pgbench are not installed (set POSTGRES_BIN to their folder)',
    )
    return
  }
  const server = await startServer(programs, { durable: true })
  const folder = mkdtempSync(join(tmpdir(), 'studio-pgbench-'))
  const stops: (() => void)[] = []
  try {
    const address = await server.createDatabase()
    await seedDatabase(address)
    const key = await keyFor(address)
    const servers = await Promise.all(Array.from({ length: SERVERS }, () => serve(address)))
    for (const { process } of servers) stops.push(() => process.kill('SIGTERM'))
    const clients = clientsOf(
      servers.map(({ url }) => url),
      key,
    )
    stops.unshift(clients.close)
    const script = join(folder, 'booking.sql')
    writeFileSync(script, bookingScript)
    let round = 0
    const bare = () => pgbenchRate(pgbench, { address, script, round: round++ })
    await clients.bookings(EACH)
    await bare()
    const rates: number[] = []
    const ratios: number[] = []
    while (ratios.length < ROUNDS) {
      const booked = await clients.bookings(EACH)
      rates.push(booked)
      ratios.push(booked / (await bare()))
    }
    printFigure({
      name: `bookings a second on PostgreSQL, ${SERVERS} servers, ${FACILITIES} facilities ÷ pgbench`,
      value: median(ratios),
      atLeast: 0.6,
    })
    printFigure({ name: '  bookings a second', value: median(rates), unit: '/s' })
  } finally {
    for (const stop of stops) stop()
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Migrates an empty database, and creates facilities with appointments. */
export async function seedDatabase(address: string): Promise<void> {
  await (await openDatabase(address, migrations)).close()
  const insert = (table: string, row: Record<string, unknown>) =>
    `insert into ${table} (${Object.keys(row)}) values (${Object.values(row).map(literal)})`
  const rows = [insert('tenant', { id: TENANT, name: 'default', created_at: 0 })]
  for (let facility = 0; facility < FACILITIES; facility++) {
    rows.push(insert('facility', facilityRow(facility)))
    for (let door = 0; door < DOORS; door++) rows.push(insert('door', doorRow(facility, door)))
  }
  const numbers = `(select generate_series(0, ${FACILITIES * APPOINTMENTS_A_FACILITY - 1}) as number)`
  const seed = seedAppointments
    .replace('from numbers)', `from ${numbers} as numbers)`)
    .replaceAll(/substr\('000000000000' \|\| (.+?), -12\)/g, "lpad(($1)::text, 12, '0')")
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    await client.query(`${rows.join(';')};${seed}; analyze`)
  } finally {
    await client.end()
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
}

async function pgbenchRate(
  pgbench: string,
  { address, script, round }: { address: string; script: string; round: number },
): Promise<number> {
  const args = [
    '-n',
    '-M',
    'extended',
    '-c',
    String(CLIENTS),
    '-j',
    '2',
    '-t',
    String(EACH),
    '-D',
    `round=${round}`,
    '-D',
    'i=0',
  ]
  const { stdout } = await promisify(execFile)(pgbench, [...args, '-f', script, address])
  return Number(/tps = ([\d.]+)/.exec(stdout)![1])
}

const at = (days: number) => Date.parse(FIRST_DAY) + days * DAY_MS
const facilityOf = (number: string) => `'${idOf('facility', 0).slice(0, -12)}' || lpad(${number}::text, 12, '0')`
const doorOf = (number: string) => `'${idOf('door', 0).slice(0, -12)}' || lpad(${number}::text, 12, '0')`

/** The statements of a booking. Each client has its own slots, so that there are no conflicts at a door. */
const bookingScript = `
\\set i :i + 1
\\set place (:round * ${EACH} + :i) * ${CLIENTS} + :client_id
\\set facility :place % ${FACILITIES}
\\set door (:place / ${FACILITIES}) % ${DOORS}
\\set start ${at(20)} + (:place / ${FACILITIES * DOORS}) * 900000
begin isolation level repeatable read, read only; set local statement_timeout = 30000; set local lock_timeout = 10000; set local idle_in_transaction_session_timeout = 15000;
select * from tenant_key where prefix = 'none' and revoked_at is null;
commit;
begin isolation level read committed; set local statement_timeout = 30000; set local lock_timeout = 10000; set local idle_in_transaction_session_timeout = 15000;
select * from facility where tenant_id = '${TENANT}' and code = 'F' || :facility for update;
select (select coalesce(json_agg(json_build_array(id, name, position, types, active)), '[]')::text from door where facility_id = ${facilityOf(':facility')} and removed_at is null) as doors, (select id from appointment where facility_id = ${facilityOf(':facility')} and reference_number = 'P' || :place and status = 'scheduled') as reference, (select coalesce(json_agg(json_build_array(door_id, start_at, end_at)), '[]')::text from appointment where facility_id = ${facilityOf(':facility')} and start_at > ${at(-1)} and start_at < ${at(1)} and end_at > ${at(0)} and status <> 'cancelled') as busy;
insert into appointment (id, tenant_id, facility_id, door_id, type, status, start_at, end_at, carrier_name, reference_number, pallet_count, weight, load_description, equipment_id, created_at, updated_at, sequence) values (gen_random_uuid()::text, '${TENANT}', ${facilityOf(':facility')}, ${doorOf(`(:facility * ${DOORS} + :door)`)}, 'pickup', 'scheduled', :start::bigint, :start::bigint + 900000, 'Acme', 'P' || :place, null, null, null, null, 0, 0, 0);
commit;
`
