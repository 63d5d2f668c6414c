import pg from 'pg'
import { partitionAppointments } from '../../src/docks/archive/queries/partitions'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../src/docks/booking/operations/list-appointments'
import { type Database, openDatabase } from '../../src/storage'
import { migrations } from '../../src/studio'
import { addPastAppointments } from '../docks/archive/queries/past-appointments'
import { listQueryCalls } from '../docks/queries/query-calls'
import { recordPlans } from '../docks/queries/record-plans'
import { postgresPrograms, startServer } from '../storage/postgres/server'
import { runOn } from '../storage/run-on-database'
import { median, printFigure } from './figures'

const FACILITIES = 100
const SIZES = [1_000, 1_000_000] as const
const PARTITIONS = 16
const CALLS = 200
const MAX_RATIO = 1.5

/**
 * What lookups and bookings cost with few and with many stored appointments, in one table and in partitions, and how many pages each query
 * reads. `npm run bench -- partitions postgres://server/postgres` leaves the databases there, and the next run measures at once.
 */
export async function run([address]: string[] = []): Promise<void> {
  if (address !== undefined) return measure(address)
  const programs = postgresPrograms()
  if (!programs)
    return console.log('  skipped: initdb and postgres are not installed (set POSTGRES_BIN to their folder)')
  const server = await startServer(programs, { durable: true })
  try {
    await measure(await server.createDatabase())
  } finally {
    await server.remove()
  }
}

interface Site {
  form: 'table' | 'partitions'
  size: number
  db: Database
}

async function measure(address: string): Promise<void> {
  const prepared: (Omit<Site, 'db'> & { own: string })[] = []
  for (const size of SIZES)
    for (const form of ['table', 'partitions'] as const)
      prepared.push({ form, size, own: await prepare(address, size, form) })
  const sites: Site[] = []
  try {
    for (const { own, ...site } of prepared) sites.push({ ...site, db: await openDatabase(own, migrations) })
    await printTimes(sites)
    await printPages(sites.filter(({ form }) => form === 'table'))
  } finally {
    for (const { db } of sites) await db.close()
  }
}

/** The address of a database with so many appointments, which is created if it does not exist. */
async function prepare(address: string, size: number, form: Site['form']): Promise<string> {
  const name = `studio_bench_${size}_${form}`
  const own = new URL(`/${name}`, address).href
  const client = new pg.Client(address)
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount) return own
    const template = form === 'partitions' ? `template studio_bench_${size}_table` : ''
    // A database that was not filled completely has another name.
    await client.query(`drop database if exists ${name}_new`)
    await client.query(`create database ${name}_new ${template}`)
    const startedAt = performance.now()
    const db = await openDatabase(`${own}_new`, migrations)
    if (form === 'table') await addPastAppointments(db, { facilities: FACILITIES, each: size / FACILITIES })
    else
      await db.write((tx) => partitionAppointments(tx, { count: PARTITIONS, onPartition: () => {} }), {
        changesSchema: true,
      })
    await db.close()
    printFigure({ name: `preparing ${name}`, value: (performance.now() - startedAt) / 1000, unit: 's' })
    await client.query(`alter database ${name}_new rename to ${name}`)
    return own
  } finally {
    await client.end()
  }
}

/** Alternates between the databases, because a busy machine slows down all of them. */
async function printTimes(sites: readonly Site[]): Promise<void> {
  const ids = new Map<Site, string[]>(sites.map((site) => [site, []]))
  const run = crypto.randomUUID()
  const facility = (i: number) => `F${(i * 37) % FACILITIES}`
  const load = { type: 'delivery', carrierName: 'Acme', targetDate: '2026-11-17', durationMinutes: 30 }
  const day = { startDate: '2026-11-14', endDate: '2026-11-14' }
  const calls: [string, (site: Site, i: number) => Promise<unknown>][] = [
    [
      'book',
      async (site, i) => {
        const request = { ...load, facilityCode: facility(i), referenceNumber: `${run}-${i}` }
        ids.get(site)!.push((await runOn(site.db, bookAppointment, request)).data.id)
      },
    ],
    ['list a day of a facility', ({ db }, i) => runOn(db, listAppointments, { facilityCode: facility(i), ...day })],
    [
      'find a reference',
      ({ db }, i) => runOn(db, listAppointments, { facilityCode: facility(i), referenceNumber: 'OLD-5' }),
    ],
    [GET_BY_ID, (site, i) => runOn(site.db, getAppointment, { id: ids.get(site)![i] })],
  ]
  for (const [name, call] of calls) {
    const times = new Map<Site, number[]>(sites.map((site) => [site, []]))
    for (let i = 0; i < CALLS; i++)
      for (const site of sites) {
        const startedAt = performance.now()
        await call(site, i)
        times.get(site)!.push(performance.now() - startedAt)
      }
    for (const form of ['table', 'partitions'] as const) {
      const [few, many] = sites.filter((site) => site.form === form).map((site) => median(times.get(site)!)) as [
        number,
        number,
      ]
      printFigure({ name: `${name}, 1,000 appointments, ${form}`, value: few, unit: 'ms' })
      printFigure({ name: `${name}, 1,000,000 appointments, ${form}`, value: many, unit: 'ms' })
      printFigure({ name: `  ${name}, ${form}: many ÷ few`, value: many / few, atMost: MAX_RATIO })
    }
    const [table, partitions] = sites.filter(({ size }) => size === SIZES[1]).map((site) => times.get(site)!) as [
      number[],
      number[],
    ]
    printFigure({
      name: `  ${name}, 1,000,000 appointments: partitions ÷ table`,
      value: median(partitions.map((time, i) => time / table[i]!)),
      // An ID without its facility is looked up in each partition.
      ...(name !== GET_BY_ID && { atMost: MAX_RATIO }),
    })
  }
}

const GET_BY_ID = 'get by ID'

/** The pages that each query reads with few and with many appointments, and the tables that it scans. */
async function printPages(sites: readonly Site[]): Promise<void> {
  console.log(`\n  ${'query'.padEnd(32)} ${'pages, 1,000'.padStart(14)} ${'pages, 1,000,000'.padStart(18)}   scans`)
  const read = async ({ db }: Site) => {
    const results: Record<string, { pages: number; scanned: string[] }> = {}
    for (const [name, call] of Object.entries(await listQueryCalls(db))) {
      const plans = await recordPlans(db, call)
      const pages = plans.reduce((sum, plan) => sum + (plan.pages ?? 0), 0)
      results[name] = { pages, scanned: [...new Set(plans.flatMap(({ scanned }) => scanned))] }
    }
    return results
  }
  const [few, many] = [await read(sites[0]!), await read(sites[1]!)]
  for (const [name, { pages, scanned }] of Object.entries(many))
    console.log(
      `  ${name.padEnd(32)} ${String(few[name]!.pages).padStart(14)} ${String(pages).padStart(18)}   ${scanned.join(', ')}`,
    )
}
