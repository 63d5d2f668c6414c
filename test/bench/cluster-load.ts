import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { listTree } from '../cluster/processes'
import { codeOf, FIRST_DAY } from './dock-seed'
import { median } from './figures'
import { type Answer, RawClient } from './raw-client'

/** The processes whose processor time is measured, with all that they have started. */
export type Parts = Readonly<Record<string, readonly number[]>>

/** One run of a load. */
export interface Sample {
  count: number
  perSecond: number
  p50: number
  p99: number
  /** Milliseconds of processor time for each call, by part; `generator` is the process that sends the calls. */
  cpu: Record<string, number>
  /** The part of the machine's processor time in which any program ran. */
  busy: number
}

export interface Load {
  urls: readonly string[]
  clients: number
  ms: number
  parts: Parts
  send(client: RawClient): Promise<Answer>
}

/** Each client uses one connection, and sends the next call when it has the answer. */
export async function measure({ urls, clients, ms, parts, send }: Load): Promise<Sample> {
  const connections = Array.from({ length: clients }, (_, i) => new RawClient(urls[i % urls.length]!))
  const times: number[] = []
  const before = readProcessorTimes(parts)
  const startedAt = performance.now()
  const work = async (client: RawClient) => {
    for (let sentAt = performance.now(); sentAt < startedAt + ms; sentAt = performance.now()) {
      const { status, body } = await send(client)
      if (status !== 200) throw new Error(`A call was answered with ${status}: ${body}`)
      times.push(performance.now() - sentAt)
    }
  }
  try {
    await Promise.all(connections.map(work))
  } finally {
    for (const connection of connections) connection.close()
  }
  const elapsed = performance.now() - startedAt
  const after = readProcessorTimes(parts)
  times.sort((a, b) => a - b)
  const used = Object.entries(after.parts).map(([part, time]) => [part, (time - before.parts[part]!) / times.length])
  return {
    count: times.length,
    perSecond: (times.length / elapsed) * 1_000,
    p50: times[Math.floor(times.length * 0.5)]!,
    p99: times[Math.floor(times.length * 0.99)]!,
    cpu: Object.fromEntries(used),
    busy: 1 - (after.idle - before.idle) / (after.all - before.all),
  }
}

/** The median of each figure. */
export function summarize(samples: readonly Sample[]): Sample {
  const of = (read: (sample: Sample) => number) => median(samples.map(read))
  return {
    count: of(({ count }) => count),
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    cpu: Object.fromEntries(Object.keys(samples[0]!.cpu).map((part) => [part, of(({ cpu }) => cpu[part]!)])),
    busy: of(({ busy }) => busy),
  }
}

/** In milliseconds. */
function readProcessorTimes(parts: Parts) {
  const times = cpus().map((cpu) => cpu.times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  const all = times.reduce((sum, time) => sum + Object.values(time).reduce((a, b) => a + b, 0), 0)
  const { user, system } = process.cpuUsage()
  const used: Record<string, number> = { generator: (user + system) / 1_000 }
  for (const [part, pids] of Object.entries(parts))
    used[part] = listTree(pids).reduce((sum, { cpuSeconds }) => sum + cpuSeconds * 1_000, 0)
  return { parts: used, idle, all }
}

/** The first process of the PostgreSQL server, on this machine, with the database of the address. */
export async function findServerPid(address: string): Promise<number> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const { data_directory } = (await client.query('show data_directory')).rows[0]
    return Number(readFileSync(join(data_directory, 'postmaster.pid'), 'utf8').split('\n')[0])
  } finally {
    await client.end()
  }
}

const DAY_MS = 86_400_000
/** After the dates of the seed. */
const FIRST_FREE_DAY = Date.parse(FIRST_DAY) + 20 * DAY_MS
const DATES = 300
let booked = 0

/** Books at each of the facilities in turn, on many dates, so that none is full. */
export function bookingAt(facilities: number, key: string): Load['send'] {
  return (client) => {
    const number = booked++
    const day = Math.floor(number / facilities) % DATES
    const body = JSON.stringify({
      facilityCode: codeOf(number % facilities),
      type: 'pickup',
      carrierName: 'Acme',
      referenceNumber: `CLUSTER-${process.pid}-${number}`,
      targetDate: new Date(FIRST_FREE_DAY + day * DAY_MS).toISOString().slice(0, 10),
      durationMinutes: 15,
    })
    return client.post('/api/appointments/auto-schedule', `X-API-Key: ${key}\r\n`, body)
  }
}
