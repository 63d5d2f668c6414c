import { readFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createTenant } from '../../src/access/operations/create-tenant'
import { createTenantKey } from '../../src/access/operations/create-tenant-key'
import { execute } from '../../src/kernel'
import { openDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { clientsOf, keyFor, serve } from './dock-http'
import { placeSeed } from './dock-seed'
import { median, printFigure } from './figures'

const FACILITIES = 64
const STREAMS = 500
const ROUNDS = 5
const EACH = 25
/** Opening the streams at once is not what is measured. */
const SETTLE_MS = 3_000
const IDLE_MS = 10_000
const TICKS_PER_SECOND = 100

/** What streams of events cost that have nothing to send, because they are those of another tenant. */
export async function idleStreams(folder: string): Promise<void> {
  const path = join(folder, 'streams.db')
  await placeSeed(path, FACILITIES * 1_000)
  const key = await keyFor(path)
  const otherKey = await keyOfOtherTenant(path)
  const server = await serve(path)
  const clients = clientsOf([server.url], key)
  const open = () => Promise.all(Array.from({ length: STREAMS }, () => openStream(server.url, otherKey)))
  try {
    await clients.bookings(EACH)
    const idle = await open()
    await delay(SETTLE_MS)
    const before = processorSeconds(server.process.pid!)
    await delay(IDLE_MS)
    const share = ((processorSeconds(server.process.pid!) - before) * 1_000) / IDLE_MS
    close(idle)
    printFigure({ name: `processor share of ${STREAMS} idle event streams`, value: share, decimals: 3, atMost: 0.03 })
    const book = async (): Promise<number> => {
      const used = processorSeconds(server.process.pid!)
      await clients.bookings(EACH)
      return processorSeconds(server.process.pid!) - used
    }
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await book()
      const streams = await open()
      await delay(SETTLE_MS)
      ratios.push((await book()) / alone)
      close(streams)
      await delay(SETTLE_MS)
    }
    const value = median(ratios)
    printFigure({
      name: `processor time of a booking with ${STREAMS} idle event streams ÷ with none`,
      value,
      atMost: 1.15,
    })
  } finally {
    clients.close()
    server.process.kill('SIGTERM')
  }
}

async function keyOfOtherTenant(path: string): Promise<string> {
  const db = await openDatabase(path, migrations)
  const studio = openStudio({ env: { STUDIO_HOME: '/' }, cwd: '/', db })
  const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  await execute(createTenant, { name: 'other' }, context)
  const { key } = await execute(createTenantKey, { tenant: 'other' }, context)
  await db.close()
  return key
}

function openStream(url: string, key: string): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, accept: 'text/event-stream' }
    const sent = request(`${url}/api/appointments/events`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream was refused: ${response.statusCode}`))
      response.on('error', () => {})
      response.once('data', () => resolve(sent))
      response.resume()
    })
    sent.on('error', reject)
    sent.end()
  })
}

function close(streams: readonly ClientRequest[]): void {
  for (const stream of streams) stream.destroy()
}

/** User and system time of a process, from Linux. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
