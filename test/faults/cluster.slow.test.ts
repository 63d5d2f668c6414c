import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Cluster, listMissingPrograms, startCluster } from '../cluster/cluster'
import { firstJsonLine, program } from '../contract/program'
import { isLong } from './moments'

const ROUNDS = 20
const CLIENTS = 32
const FACILITIES = 8
const DATES = 200

/** Breaks something, and returns what repairs it. */
type Fault = (cluster: Cluster) => Promise<() => Promise<void>>

const faults: Record<string, Fault> = {
  async 'the machine of the primary fails'(cluster) {
    const primary = (await cluster.findPrimary())!
    await primary.kill()
    return async () => primary.start()
  },
  async 'the primary is cut off'(cluster) {
    const primary = (await cluster.findPrimary())!
    primary.freeze()
    return async () => primary.resume()
  },
  async 'PgBouncer is restarted'(cluster) {
    await cluster.restartPgBouncer()
    return async () => {}
  },
  async 'the leader of etcd fails'(cluster) {
    const start = await cluster.killEtcdLeader()
    return async () => start()
  },
}

interface Load {
  /** Confirmed bookings: the ID by reference. */
  confirmed: Map<string, string>
  /** When a booking was confirmed. */
  successes: number[]
  /** How often a call was asked to come back. */
  postponed: number
  /** Answers that no caller expects. */
  unexpected: string[]
}

/** Books without a pause, each booking until it is confirmed, with the same idempotency key. */
async function book(load: Load, client: number, url: string, key: string, signal: AbortSignal): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    const reference = `C${client}-${count}`
    const day = new Date(Date.UTC(2055, 0, 1 + (count % DATES))).toISOString().slice(0, 10)
    const body = {
      facilityCode: `F${client % FACILITIES}`,
      type: 'pickup',
      carrierName: 'Acme',
      referenceNumber: reference,
      targetDate: day,
      durationMinutes: 15,
    }
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': reference }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    while (!signal.aborted) {
      try {
        const response = await fetch(`${url}/api/appointments/auto-schedule`, request)
        const answer = (await response.json()) as any
        if (response.status === 200) {
          load.confirmed.set(reference, answer.data.id)
          load.successes.push(performance.now())
          break
        }
        const isDeclared =
          [409, 429].includes(response.status) || (response.status === 503 && response.headers.has('retry-after'))
        if (!isDeclared) load.unexpected.push(`${response.status} ${JSON.stringify(answer)}`)
        load.postponed++
      } catch (error) {
        load.unexpected.push(String(error))
      }
      await sleep(200)
    }
  }
}

/** The longest time without a confirmed booking since `from`. */
function longestGap(successes: readonly number[], from: number): number {
  const times = [from, ...successes.filter((time) => time > from)]
  return Math.max(...times.slice(1).map((time, i) => time - times[i]!))
}

const missing = listMissingPrograms()
const why =
  missing.length > 0
    ? `${missing.join(', ')} are not installed`
    : isLong
      ? null
      : 'npm run faults runs it, for ten minutes'

describe('a cluster that fails over under load', () => {
  it.skipIf(why !== null)(
    why === null ? 'loses no confirmed booking and books nothing twice' : `skipped: ${why}`,
    async () => {
      const cluster = await startCluster()
      onTestFinished(() => cluster.remove())
      const studio = await program()
      const [direct, pooled] = [{ STUDIO_DB: cluster.address }, { STUDIO_DB: cluster.pooledAddress }]
      const hours = ['--name', 'North', '--time-zone', 'Etc/UTC', '--queue', 'daily 00:00-24:00', '--min-minutes', '15']
      const doors = ['A', 'B', 'C', 'D'].flatMap((name) => ['--door', name])
      for (let i = 0; i < FACILITIES; i++)
        await studio.json(['facility', 'create', '--code', `F${i}`, ...hours, ...doors], { env: direct })
      const { key } = await studio.json(['tenant', 'key', 'create'], { env: direct })
      const services = [
        studio.start(['serve', '--port', '0', '--json'], direct),
        studio.start(['serve', '--port', '0', '--json'], pooled),
      ]
      const urls = await Promise.all(services.map(async (service) => (await firstJsonLine(service)).url as string))
      const load: Load = { confirmed: new Map(), successes: [], postponed: 0, unexpected: [] }
      const stop = new AbortController()
      const clients = Array.from({ length: CLIENTS }, (_, i) => book(load, i, urls[i % urls.length]!, key, stop.signal))
      const ratios: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const [name, fault] = Object.entries(faults)[round % 4]!
        await sleep(2_000)
        const before = await cluster.findPrimary()
        const from = performance.now()
        const repair = await fault(cluster)
        const isFailover = round % 4 < 2
        let failover = 0
        if (isFailover) {
          await cluster.waitForPrimary((primary) => primary !== before)
          failover = performance.now() - from
        }
        const failedOver = performance.now()
        await cluster.waitFor('booking after the fault', async () =>
          load.successes.some((time) => time > failedOver + 1_000),
        )
        const gap = longestGap(load.successes, from)
        if (isFailover) ratios.push(gap / failover)
        const seconds = (ms: number) => (ms / 1_000).toFixed(1)
        console.log(
          `${round + 1}. ${name}: ${seconds(gap)} s without a booking${isFailover ? `, failover ${seconds(failover)} s` : ''}; ${load.confirmed.size} confirmed, ${load.postponed} postponed`,
        )
        await repair()
        await cluster.waitUntilHealthy()
      }
      stop.abort()
      await Promise.all(clients)
      const stored = await cluster.query('select id, reference_number from appointment')
      const byReference = new Map(stored.map((row) => [row.reference_number, row.id]))
      const lost = [...load.confirmed].filter(([reference, id]) => byReference.get(reference) !== id)
      const overlaps = await cluster.query(
        'select a.id from appointment a join appointment b on a.door_id = b.door_id and a.id < b.id and a.start_at < b.end_at and b.start_at < a.end_at',
      )
      const sorted = [...ratios].sort((a, b) => a - b)
      console.log(
        `${load.confirmed.size} bookings confirmed, ${lost.length} lost, ${overlaps.length} double bookings, ${stored.length - byReference.size} duplicates; time without a booking ÷ failover: median ${sorted[Math.floor(sorted.length / 2)]?.toFixed(2)}, most ${sorted.at(-1)?.toFixed(2)}`,
      )
      expect(load.unexpected).toEqual([])
      expect(lost).toEqual([])
      expect(overlaps).toEqual([])
      expect(byReference.size).toBe(stored.length)
    },
  )
})
