import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { median, printFigure } from '../bench/figures'
import { type Cluster, startCluster } from '../cluster/cluster'
import { listMissingPrograms } from '../cluster/programs'
import { firstJsonLine, program } from '../contract/program'
import { faults } from './cluster-faults'
import { book, checkBookings, createLoad, FACILITIES, type Load, longestGap } from './cluster-load'
import { isLong } from './moments'

const ROUNDS = 24
const CLIENTS = 32
const LOAD_BEFORE_FAULT_MS = 2_000

const missing = listMissingPrograms()
const why =
  missing.length > 0
    ? `${missing.join(', ')} are not installed`
    : isLong
      ? null
      : 'npm run faults -- cluster runs it, for fifteen minutes'
const nameUnlessSkipped = (name: string) => (why === null ? name : `skipped: ${why}`)

async function startDocks(cluster: Cluster) {
  const studio = await program()
  // The environment of a service names the folder of the cluster, so that it ends with it.
  const environment = (address: string) => ({ STUDIO_DB: address, CLUSTER_FOLDER: cluster.folder })
  const env = environment(cluster.address)
  const hours = ['--name', 'North', '--time-zone', 'Etc/UTC', '--queue', 'daily 00:00-24:00', '--min-minutes', '15']
  const doors = ['A', 'B', 'C', 'D'].flatMap((name) => ['--door', name])
  for (let i = 0; i < FACILITIES; i++)
    await studio.json(['facility', 'create', '--code', `F${i}`, ...hours, ...doors], { env })
  const { key } = await studio.json(['tenant', 'key', 'create'], { env })
  const serve = async (address: string) => {
    const running = studio.start(['serve', '--port', '0', '--json'], environment(address))
    return { running, url: (await firstJsonLine(running)).url as string }
  }
  return { key, serve }
}

/** Clients that book until `end` is called. */
function startClients(
  load: Load,
  urls: readonly string[],
  { key, name, count }: { key: string; name: string; count: number },
) {
  const stop = new AbortController()
  const clients = Array.from({ length: count }, (_, i) =>
    book(load, { name: `${name}${i}`, facility: i % FACILITIES, url: urls[i % urls.length]!, key }, stop.signal),
  )
  return async () => {
    stop.abort()
    await Promise.all(clients)
  }
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1)

describe('a cluster that fails over under load', () => {
  it.skipIf(why !== null)(nameUnlessSkipped('loses no confirmed booking and books nothing twice'), async () => {
    const cluster = await startCluster()
    onTestFinished(() => cluster.remove())
    const { key, serve } = await startDocks(cluster)
    const addresses = [cluster.address, cluster.pooledAddress, cluster.address, cluster.pooledAddress]
    const services = await Promise.all(addresses.map(serve))
    const load = createLoad()
    const endClients = startClients(
      load,
      services.map(({ url }) => url),
      { key, name: 'C', count: CLIENTS },
    )
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { name, isFailover, cause } = faults[round % faults.length]!
      await sleep(LOAD_BEFORE_FAULT_MS)
      const before = (await cluster.findPrimary())!
      const from = performance.now()
      const repair = await cause(cluster)
      if (isFailover) await cluster.waitForOtherPrimary(before)
      const repaired = performance.now()
      const failover = repaired - from
      await cluster.waitFor('booking after the fault', async () =>
        load.successes.some((time) => time > repaired + 1_000),
      )
      const gap = longestGap(load.successes, from)
      if (isFailover) ratios.push(gap / failover)
      console.log(
        `${round + 1}. ${name}: ${seconds(gap)} s without a booking${isFailover ? `, failover ${seconds(failover)} s` : ''}; ${load.confirmed.size} confirmed, ${load.postponed} postponed`,
      )
      repair()
      await cluster.waitUntilHealthy()
    }
    await endClients()
    const outcome = await checkBookings(cluster, load)
    printOutcome(load, outcome, ratios)
    expect({ ...outcome, undeclared: load.undeclared }).toEqual({
      lost: [],
      doubleBookings: [],
      duplicates: [],
      undeclared: [],
    })
  })
})

function printOutcome(load: Load, outcome: Awaited<ReturnType<typeof checkBookings>>, ratios: readonly number[]): void {
  const count = (name: string, value: number) => printFigure({ name, value, unit: '', decimals: 0, atMost: 0 })
  console.log(`\n${ROUNDS} faults under load of ${CLIENTS} clients, ${ratios.length} of them failovers`)
  printFigure({ name: 'bookings confirmed', value: load.confirmed.size, unit: '', decimals: 0 })
  count('confirmed bookings lost', outcome.lost.length)
  count('double bookings', outcome.doubleBookings.length)
  count('duplicates of an idempotency key', outcome.duplicates.length)
  count('answers other than success, 409, 429, 503 with Retry-After', load.undeclared.length)
  const ratio = 'time without a booking ÷ failover time of Patroni'
  printFigure({ name: `${ratio}, median`, value: median(ratios), atMost: 1.3 })
  printFigure({ name: `${ratio}, most`, value: Math.max(...ratios), atMost: 1.3 })
}
