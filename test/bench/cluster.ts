import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, startCluster } from '../cluster/cluster'
import { listTree } from '../cluster/processes'
import { listMissingPrograms } from '../cluster/programs'
import { postgresPrograms, startServer } from '../storage/postgres/server'
import { bookingAt, findServerPid, measure, type Parts, type Sample, summarize } from './cluster-load'
import { readsOnReplicas } from './cluster-reads'
import { keyFor, serve } from './dock-http'
import { seedDatabase } from './dock-postgres'
import { placeSeed } from './dock-seed'
import { median, printFigure } from './figures'
import { type Machine, withShares } from './processor-shares'

const SERVICES = 4
const FACILITIES = 64
const CLIENTS = 32
const ROUNDS = 3
const RUN_MS = 2_000
/**
 * The processors of each machine, where each has its own. A service gets less than the clients can use, and PostgreSQL as much as is left,
 * as where services are added because they are the limit.
 */
const SHARES = { clients: 0.15, service: 0.15, PostgreSQL: 1.2 }
/** A service needs less and less processor time until its code is optimized. */
const WARM_UP_CALLS = 1_000

/**
 * `npm run bench -- cluster [files|bookings|patroni|reads]`: bookings and reads with several services and servers, and the processor time of each
 * part. Services and replicas are compared twice: while all programs share the processors of this machine, and while each has its own.
 */
export async function run([only]: string[] = []): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    if (only === undefined || only === 'files') printTable([['files, one service', await bookingsOnFiles(folder)]])
    if (only === undefined || only === 'bookings') printTable(await bookingsOnServer())
    if (only === undefined || only === 'patroni') printTable(await bookingsOnCluster())
    if (only === undefined || only === 'reads') await readsOnReplicas()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Row = readonly [name: string, sample: Sample]

interface Setup {
  address: string
  services: number
  /** Of the services. */
  env?: Record<string, string>
  parts: Parts
}

interface Desk {
  /** Books for some seconds, with the first services, at this number of facilities. */
  book(services: number, facilities: number): Promise<Sample>
  /** Books several times with all services. */
  bookRepeatedly(): Promise<Sample>
  /** The processes of the services. */
  pids: readonly number[]
  close(): Promise<void>
}

async function openDesk({ address, services, env = {}, parts }: Setup, key: string): Promise<Desk> {
  const running = await Promise.all(Array.from({ length: services }, () => serve(address, env)))
  const urls = running.map(({ url }) => url)
  const pids = running.map(({ process }) => process.pid!)
  const all = { services: pids, ...parts }
  const book: Desk['book'] = (count, facilities) =>
    measure({
      urls: urls.slice(0, count),
      clients: CLIENTS,
      ms: RUN_MS,
      parts: all,
      send: bookingAt(facilities, key),
    })
  for (let calls = 0; calls < WARM_UP_CALLS * services; ) calls += (await book(services, FACILITIES)).count
  return {
    book,
    pids,
    async bookRepeatedly() {
      const samples: Sample[] = []
      while (samples.length < ROUNDS) samples.push(await book(services, FACILITIES))
      return summarize(samples)
    },
    async close() {
      const ended = running.map(({ process }) => new Promise((resolve) => process.once('exit', resolve)))
      for (const { process } of running) process.kill('SIGTERM')
      await Promise.all(ended)
    },
  }
}

async function bookOn(setup: Setup, key: string): Promise<Sample> {
  const desk = await openDesk(setup, key)
  try {
    return await desk.bookRepeatedly()
  } finally {
    await desk.close()
  }
}

async function bookingsOnFiles(folder: string): Promise<Sample> {
  const address = join(folder, 'cluster.db')
  await placeSeed(address, FACILITIES * 1_000)
  return bookOn({ address, services: 1, parts: {} }, await keyFor(address))
}

async function bookingsOnServer(): Promise<Row[]> {
  const programs = postgresPrograms()
  if (!programs) {
    console.log('  PostgreSQL: skipped, for initdb and postgres are not installed (set POSTGRES_BIN to their folder)')
    return []
  }
  const server = await startServer(programs, { durable: true })
  try {
    const address = await server.createDatabase()
    await seedDatabase(address)
    const serverPid = await findServerPid(address)
    const parts = { PostgreSQL: [serverPid] }
    const desk = await openDesk({ address, services: SERVICES, parts }, await keyFor(address))
    const readBytes = async () => {
      const sizes = "pg_database_size(current_database()) as database, pg_current_wal_lsn() - '0/0' as log"
      const [row] = await server.query(`select ${sizes}, count(*) from appointment`, new URL(address).pathname.slice(1))
      return { database: Number(row.database), log: Number(row.log), appointments: Number(row.count) }
    }
    try {
      const before = await readBytes()
      const rows = await compareServices(desk, 'PostgreSQL')
      const after = await readBytes()
      const booked = after.appointments - before.appointments
      const printBytes = (name: string, bytes: number) =>
        printFigure({ name: `  each booking: ${name}`, value: bytes / booked / 1_000, unit: 'KB' })
      printBytes('growth of the database', after.database - before.database)
      printBytes('log for standbys', after.log - before.log)
      const own = await withShares(listMachines(desk.pids, serverPid), () =>
        compareServices(desk, 'PostgreSQL, own processors'),
      )
      return [...rows, ...(own ?? [])]
    } finally {
      await desk.close()
    }
  } finally {
    await server.remove()
  }
}

function listMachines(services: readonly number[], server: number): Machine[] {
  return [
    { name: 'clients', pids: [process.pid], share: SHARES.clients },
    ...services.map((pid, i) => ({ name: `service${i + 1}`, pids: [pid], share: SHARES.service })),
    { name: 'server', pids: listTree([server]).map(({ pid }) => pid), share: SHARES.PostgreSQL },
  ]
}

/** Books alternately with one service and with all, on different facilities and on the same one. */
async function compareServices(desk: Desk, where: string): Promise<Row[]> {
  const run = { one: [] as Sample[], all: [] as Sample[], oneSame: [] as Sample[], allSame: [] as Sample[] }
  for (let round = 0; round < ROUNDS; round++) {
    run.one.push(await desk.book(1, FACILITIES))
    run.all.push(await desk.book(SERVICES, FACILITIES))
    run.oneSame.push(await desk.book(1, 1))
    run.allSame.push(await desk.book(SERVICES, 1))
  }
  const ratio = (many: readonly Sample[], one: readonly Sample[]) =>
    median(many.map(({ perSecond }, i) => perSecond / one[i]!.perSecond))
  const name = `${where}: ${SERVICES} services ÷ 1 service`
  printFigure({ name: `${name}, ${FACILITIES} facilities`, value: ratio(run.all, run.one), atLeast: 1.6 })
  printFigure({ name: `${name}, one facility`, value: ratio(run.allSame, run.oneSame), atLeast: 1 })
  return [
    [`${where}, one service`, summarize(run.one)],
    [`${where}, ${SERVICES} services`, summarize(run.all)],
    [`${where}, one service, one facility`, summarize(run.oneSame)],
    [`${where}, ${SERVICES} services, one facility`, summarize(run.allSame)],
  ]
}

async function bookingsOnCluster(): Promise<Row[]> {
  const missing = listMissingPrograms()
  if (missing.length > 0) {
    console.log(`  cluster: skipped, for ${missing.join(', ')} are not installed`)
    return []
  }
  const cluster = await startCluster({ hasNetwork: false })
  try {
    const primary = (await cluster.findPrimary())!
    await seedDatabase(addressOf([primary.host]))
    await cluster.waitUntilHealthy()
    const key = await keyFor(cluster.address)
    const pids = await Promise.all(cluster.nodes.map(({ host }) => findServerPid(addressOf([host]))))
    const { pgBouncer, haProxy } = cluster.router
    const parts = { PostgreSQL: pids, pooler: [pgBouncer.pid!, haProxy.pid!] }
    const setup = { services: SERVICES, env: { CLUSTER_FOLDER: cluster.folder }, parts }
    return [
      [`cluster, ${SERVICES} services`, await bookOn({ ...setup, address: cluster.address }, key)],
      [`cluster, ${SERVICES} services, pooler`, await bookOn({ ...setup, address: cluster.pooledAddress }, key)],
    ]
  } finally {
    await cluster.remove()
  }
}

const PARTS = ['services', 'PostgreSQL', 'pooler', 'generator']

function printTable(rows: readonly Row[]): void {
  const head = ['bookings', '/s', 'p50 ms', 'p99 ms', ...PARTS, 'busy']
  console.log(`\n  ${CLIENTS} clients; processor milliseconds for each booking, and how busy the machine was\n`)
  const line = (cells: readonly string[]) =>
    console.log(`  | ${cells.map((cell, i) => (i === 0 ? cell.padEnd(52) : cell.padStart(10))).join(' | ')} |`)
  line(head)
  line(head.map((_, i) => (i === 0 ? '---' : '---:')))
  for (const [name, { perSecond, p50, p99, cpu, busy }] of rows) {
    const used = PARTS.map((part) => cpu[part]?.toFixed(2) ?? '')
    line([name, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), ...used, `${(busy * 100).toFixed(0)} %`])
  }
}
