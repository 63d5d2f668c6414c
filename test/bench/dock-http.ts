import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createTenantKey } from '../../src/access/operations/create-tenant-key'
import { toStoredLoad } from '../../src/docks/booking/rules/load'
import { insertAppointment } from '../../src/docks/queries'
import { execute } from '../../src/kernel'
import { type Database, openDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { openNativeBookings } from './dock-native'
import { codeOf, DOORS, FIRST_DAY, idOf, placeSeed, TENANT } from './dock-seed'
import { median, printFigure } from './figures'
import { RawClient } from './raw-client'

const CLIENTS = 64
const ROUNDS = 7
const EACH = 25
const FACILITIES = 64
const DAY_MS = 86_400_000

/** Measures one server on a file against single-row inserts through the storage port in a process that does nothing else. */
export async function bookingsOverHttp(folder: string): Promise<void> {
  const [served, bare] = [join(folder, 'served.db'), join(folder, 'bare.db')]
  await placeSeed(served, FACILITIES * 1_000)
  await placeSeed(bare, FACILITIES * 1_000)
  const key = await keyFor(served)
  const server = await serve(served)
  const db = await openDatabase(bare, migrations)
  const stops: (() => void)[] = []
  try {
    const clients = clientsOf([server.url], key)
    stops.push(clients.close)
    await clients.bookings(EACH)
    await inserts(db, EACH)
    const ratios: number[] = []
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const booked = await clients.bookings(EACH)
      rates.push(booked)
      ratios.push(booked / (await inserts(db, EACH)))
    }
    printFigure({
      name: `durable bookings a second over HTTP, ${CLIENTS} clients ÷ bare inserts, ${CLIENTS} writers`,
      value: median(ratios),
      atLeast: 0.5,
    })
    printFigure({ name: '  bookings a second', value: median(rates), unit: '/s' })
  } finally {
    for (const stop of stops) stop()
    server.process.kill('SIGTERM')
    await db.close()
  }
}

const NATIVE_CLIENTS = 32

/** Measures one server on a file against the same transaction on native SQLite, in a process that does nothing else. */
export async function bookingsAgainstNative(folder: string): Promise<void> {
  const [served, recorded, bare] = ['served', 'recorded', 'bare'].map((name) => join(folder, `native-${name}.db`))
  for (const path of [served!, recorded!, bare!]) await placeSeed(path, FACILITIES * 1_000)
  const native = await openNativeBookings(bare!, recorded!)
  if (native === null) return console.log('  bookings ÷ native SQLite: the package could not be installed')
  const key = await keyFor(served!)
  const server = await serve(served!)
  const clients = clientsOf([server.url], key, NATIVE_CLIENTS)
  try {
    await clients.bookings(EACH)
    native.bookings(EACH)
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++)
      ratios.push((await clients.bookings(EACH)) / native.bookings(NATIVE_CLIENTS * EACH))
    printFigure({
      name: `bookings over HTTP, ${NATIVE_CLIENTS} clients ÷ the same transaction on native SQLite`,
      value: median(ratios),
      atLeast: 1.5,
    })
  } finally {
    clients.close()
    server.process.kill('SIGTERM')
    native.close()
  }
}

const MANY_STORED = 200_000
const FEW_STORED = 1_000
const GROWTH_EACH = 40

/** Measures a server on a large file against one on a small file, with bookings at the same facility. */
export async function bookingsByStored(folder: string): Promise<void> {
  const offices = []
  try {
    for (const stored of [MANY_STORED, FEW_STORED]) {
      const path = join(folder, `stored-${stored}.db`)
      await placeSeed(path, stored)
      const key = await keyFor(path)
      const server = await serve(path)
      const clients = clientsOf([server.url], key, NATIVE_CLIENTS, { facilities: 1, days: 200 })
      offices.push({ server, clients, rates: [] as number[] })
      await clients.bookings(GROWTH_EACH)
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const { clients, rates } of round % 2 === 0 ? offices : offices.toReversed())
        rates.push(await clients.bookings(GROWTH_EACH))
    const [many, few] = offices.map(({ rates }) => rates)
    printFigure({
      name: `bookings over HTTP with ${MANY_STORED} appointments stored ÷ with ${FEW_STORED}`,
      value: median(many!.map((rate, round) => rate / few![round]!)),
      atLeast: 0.85,
    })
  } finally {
    for (const { server, clients } of offices) {
      clients.close()
      server.process.kill('SIGTERM')
    }
  }
}

export async function keyFor(address: string): Promise<string> {
  const db = await openDatabase(address, migrations)
  const studio = openStudio({ env: { STUDIO_HOME: '/' }, cwd: '/', db })
  const { key } = await execute(createTenantKey, {}, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
  await db.close()
  return key
}

export async function serve(
  address: string,
  env: Record<string, string> = {},
): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [resolve('bin/studio.js'), 'serve', '--port', '0', '--json', '--quiet'], {
    env: {
      ...process.env,
      STUDIO_DB: address,
      STUDIO_HOME: join(resolve('node_modules/.cache/studio/bench'), 'home'),
      // One client sends as much as the server can answer.
      STUDIO_RATE_LIMIT: '0',
      STUDIO_CONCURRENT_CALLS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout! })
  for await (const line of lines) {
    lines.close()
    child.stdout!.resume()
    return { url: JSON.parse(line).url, process: child }
  }
  throw new Error('the server did not start; is the program built? npm run build')
}

/** Each client uses one connection, sends a booking and waits for its answer. */
export function clientsOf(
  urls: readonly string[],
  key: string,
  size = CLIENTS,
  { facilities, days } = { facilities: FACILITIES, days: 10 },
) {
  const clients = Array.from({ length: size }, (_, i) => new RawClient(urls[i % urls.length]!))
  let count = 0
  const book = async (client: RawClient) => {
    const number = count++
    const body = JSON.stringify({
      facilityCode: codeOf(number % facilities),
      type: 'pickup',
      carrierName: 'Acme',
      referenceNumber: `HTTP-${process.pid}-${number}`,
      targetDate: new Date(Date.parse(FIRST_DAY) + (Math.floor(number / facilities) % days) * DAY_MS)
        .toISOString()
        .slice(0, 10),
      durationMinutes: 15,
    })
    const answer = await client.post('/api/appointments/auto-schedule', `X-API-Key: ${key}\r\n`, body)
    if (answer.status !== 200) throw new Error(answer.body)
  }
  return {
    /** Bookings per second, for `each` bookings by each client. */
    async bookings(each: number): Promise<number> {
      const startedAt = performance.now()
      const inTurn = async (client: RawClient) => {
        for (let i = 0; i < each; i++) await book(client)
      }
      await Promise.all(clients.map(inTurn))
      return ((size * each) / (performance.now() - startedAt)) * 1_000
    },
    close() {
      for (const client of clients) client.close()
    },
  }
}

let inserted = 0

async function inserts(db: Database, each: number): Promise<number> {
  const startedAt = performance.now()
  const writer = async () => {
    for (let i = 0; i < each; i++) await insertOne(db, inserted++)
  }
  await Promise.all(Array.from({ length: CLIENTS }, writer))
  return ((CLIENTS * each) / (performance.now() - startedAt)) * 1_000
}

function insertOne(db: Database, number: number): Promise<void> {
  const facility = number % FACILITIES
  const place = Math.floor(number / FACILITIES)
  const startAt = Date.parse(FIRST_DAY) + 20 * DAY_MS + Math.floor(place / DOORS) * 900_000
  const appointment = {
    id: crypto.randomUUID(),
    facilityId: idOf('facility', facility),
    facilityName: '',
    facilityCode: '',
    doorId: idOf('door', facility * DOORS + (place % DOORS)),
    doorName: '',
    type: 'pickup' as const,
    status: 'scheduled' as const,
    startAt,
    endAt: startAt + 900_000,
    carrierName: 'Acme',
    referenceNumber: `BARE-${number}`,
    references: null,
    ...toStoredLoad({}),
    step: null,
    pinned: 0,
  }
  return db.write(
    (tx) => insertAppointment(tx, appointment, { tenantId: TENANT, createdAt: 0, caller: { id: 'bench', name: null } }),
    {
      locksRows: true,
    },
  )
}
