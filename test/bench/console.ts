import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createTenantKey } from '../../src/access/operations/create-tenant-key'
import { importAppointments } from '../../src/docks/booking/operations/import-appointments'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { execute } from '../../src/kernel'
import { openDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { timePages } from './console-pages'
import { clientsOf, keyFor, serve } from './dock-http'
import { codeOf, FIRST_DAY, placeSeed } from './dock-seed'
import { idleStreams } from './event-streams'
import { median, printFigure } from './figures'

const FACILITIES = 64
const BOARDS = 200
const ROUNDS = 7
const EACH = 50
/** Opening 200 boards at once is not what is measured. */
const SETTLE_MS = 2_000

/** `npm run bench -- console`: the goals of the live dock board. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    await timePages(folder)
    await largeBoard(folder)
    await coldBoard(join(folder, 'large.db'))
    await liveBoards(folder)
    await idleStreams(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** 40 doors with 10 appointments each. The time is that of the whole request, which is longer than that of the page. */
async function largeBoard(folder: string): Promise<void> {
  const path = join(folder, 'large.db')
  const db = await openDatabase(path, migrations)
  const context = openStudio({ env: { STUDIO_HOME: '/' }, cwd: '/', db }).context({
    actor: { kind: 'terminal', tenant: 'default' },
  })
  const { key } = await execute(createTenantKey, {}, context)
  const queue = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '00:00', end: '24:00' }
  const doors = Array.from({ length: 40 }, (_, index) => ({ name: `Door ${index + 1}` }))
  const facility = { code: 'DC1', name: 'North', timeZone: 'Etc/UTC', queues: [queue], doors }
  await execute(createFacility, facility, context)
  const rows = Array.from({ length: 400 }, (_, index) => ({
    facilityCode: 'DC1',
    type: 'delivery',
    carrierName: `Nordic Freight ${index % 30}`,
    referenceNumber: `PO-${index}`,
    targetDate: FIRST_DAY,
  }))
  await execute(importAppointments, { text: JSON.stringify(rows) }, context)
  await db.close()
  const server = await serve(path)
  try {
    const times: number[] = []
    let page = ''
    for (let round = 0; round < 40; round++) {
      const startedAt = performance.now()
      const answer = await fetch(`${server.url}/console/docks/DC1?date=${FIRST_DAY}`, { headers: { 'x-api-key': key } })
      page = await answer.text()
      times.push(performance.now() - startedAt)
    }
    const board = 'board of 40 doors and 400 appointments:'
    printFigure({
      name: `${board} page over HTTP`,
      value: median(times.slice(10)),
      unit: 'ms',
      decimals: 1,
      atMost: 50,
    })
    printFigure({
      name: `${board} compressed`,
      value: gzipSync(page).length / 1_000,
      unit: 'kB',
      decimals: 1,
      atMost: 150,
    })
  } finally {
    server.process.kill('SIGTERM')
    // Its database is opened again.
    if (server.process.exitCode === null) await once(server.process, 'exit')
  }
}

/** A service that has just begun: from the request of its first board to the first update, of a hold made as soon as the page is there. */
async function coldBoard(path: string): Promise<void> {
  const key = await keyFor(path)
  const server = await serve(path)
  const headers = { 'x-api-key': key }
  try {
    const startedAt = performance.now()
    const page = await (await fetch(`${server.url}/console/docks/DC1?date=${FIRST_DAY}`, { headers })).text()
    const [, address, version] = /data-live="([^"]+)" data-version="([^"]+)"/.exec(page)!
    const stream = await fetch(`${server.url}${address!.replaceAll('&amp;', '&')}&version=${version}`, { headers })
    const hold = { facilityCode: 'DC1', type: 'pickup', targetDate: FIRST_DAY }
    const made = await fetch(`${server.url}/api/holds`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(hold),
    })
    if (!made.ok) throw new Error(await made.text())
    for await (const bytes of stream.body!) if (Buffer.from(bytes).includes('event: parts')) break
    printFigure({
      name: 'from opening a board of a service that has just begun to its first update',
      value: performance.now() - startedAt,
      unit: 'ms',
      decimals: 0,
      atMost: 1_000,
    })
  } finally {
    server.process.kill('SIGTERM')
  }
}

/** Alternates bookings with and without boards that browsers show, each of the date that is booked. */
async function liveBoards(folder: string): Promise<void> {
  const path = join(folder, 'boards.db')
  await placeSeed(path, FACILITIES * 1_000)
  const key = await keyFor(path)
  const server = await serve(path)
  const clients = clientsOf([server.url], key)
  try {
    await clients.bookings(EACH)
    const one = await openBoards(server.url, key, 1)
    const delays: number[] = []
    for (let round = 0; round < 20; round++) {
      const changed = one.next()
      const startedAt = performance.now()
      await one.book(round)
      await changed
      delays.push(performance.now() - startedAt)
    }
    one.close()
    printFigure({
      name: 'from a booking to the open board, slowest of 20',
      value: Math.max(...delays),
      unit: 'ms',
      decimals: 0,
      atMost: 1_000,
    })
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await clients.bookings(EACH)
      const boards = await openBoards(server.url, key, BOARDS)
      await delay(SETTLE_MS)
      ratios.push((await clients.bookings(EACH)) / alone)
      boards.close()
    }
    printFigure({
      name: `bookings a second with ${BOARDS} open boards of ${FACILITIES} facilities ÷ with none`,
      value: median(ratios),
      atLeast: 0.9,
    })
  } finally {
    clients.close()
    server.process.kill('SIGTERM')
  }
}

async function openBoards(url: string, key: string, count: number) {
  const headers = { 'x-api-key': key }
  let heard = () => {}
  const streams = await Promise.all(
    Array.from(
      { length: count },
      (_, index) =>
        new Promise<ReturnType<typeof request>>((resolve, reject) => {
          const path = `/console/docks/${codeOf(index % FACILITIES)}/live?date=${FIRST_DAY}`
          const sent = request(`${url}${path}`, { headers, agent: false }, (response) => {
            if (response.statusCode !== 200) reject(new Error(`the board was refused: ${response.statusCode}`))
            response.on('error', () => {})
            response.on('data', (bytes: Buffer) => {
              if (bytes.includes('event: parts')) heard()
            })
            // The first event is the whole board.
            response.once('data', () => resolve(sent))
          })
          sent.on('error', reject)
          sent.end()
        }),
    ),
  )
  return {
    next: () =>
      new Promise<void>((resolve) => {
        heard = resolve
      }),
    async book(number: number): Promise<void> {
      const body = JSON.stringify({
        facilityCode: codeOf(0),
        type: 'pickup',
        carrierName: 'Acme',
        referenceNumber: `LIVE-${process.pid}-${number}`,
        targetDate: FIRST_DAY,
        durationMinutes: 15,
      })
      const answer = await fetch(`${url}/api/appointments/auto-schedule`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    close() {
      for (const stream of streams) stream.destroy()
    },
  }
}
