import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { median, printFigure } from '../bench/figures'
import { type Cluster, type ClusterOptions, startCluster } from '../cluster/cluster'
import { listMissingPrograms } from '../cluster/programs'
import { startClients, startDocks } from './cluster-docks'
import { faults } from './cluster-faults'
import { bookAndRead, checkBookings, createBooking, createLoad, type Load, longestGap } from './cluster-load'
import { isLong } from './moments'

const ROUNDS = 32
const CLIENTS = 32
const LOAD_BEFORE_FAULT_MS = 2_000
/** STUDIO_FAULTS_ETCD=3 lets Patroni use version 3 of etcd's API. */
const etcdApi = process.env['STUDIO_FAULTS_ETCD'] === '3' ? 3 : 2

const missing = listMissingPrograms()
const why =
  missing.length > 0
    ? `${missing.join(', ')} are not installed`
    : isLong
      ? null
      : 'npm run faults -- cluster runs it, for half an hour'
const itOnCluster = (name: string, run: () => Promise<void>) =>
  it.skipIf(why !== null)(why === null ? name : `skipped: ${why}`, run)

async function start(options: ClusterOptions = {}) {
  const cluster = await startCluster({ etcdApi, ...options })
  onTestFinished(() => cluster.remove())
  return { cluster, ...(await startDocks(cluster)) }
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1)

describe('a cluster that fails over under load', () => {
  itOnCluster('loses no confirmed booking and books nothing twice', async () => {
    const { cluster, key, serve } = await start()
    const addresses = [cluster.address, cluster.pooledAddress, cluster.address, cluster.pooledAddress]
    const services = await Promise.all(addresses.map((address) => serve(address)))
    const load = createLoad()
    const urls = services.map(({ url }) => url)
    const endClients = startClients(load, urls, { key, name: 'C', count: CLIENTS })
    const ratios: number[] = []
    // What was lost is of interest most of all if the cluster does not recover.
    const recovery = await causeFaults(cluster, load, ratios).then(
      () => 'complete',
      (error: Error) => error.message,
    )
    await endClients()
    const outcome = await checkBookings(cluster, load)
    printOutcome(load, outcome, ratios)
    expect({ recovery, ...outcome, undeclared: load.undeclared }).toEqual({
      recovery: 'complete',
      lost: [],
      doubleBookings: [],
      duplicates: [],
      undeclared: [],
    })
  })
})

/** Causes one fault after the other, and adds to `ratios` how long each failover took for the clients. */
async function causeFaults(cluster: Cluster, load: Load, ratios: number[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const { name, isFailover, cause } = faults[round % faults.length]!
    await sleep(LOAD_BEFORE_FAULT_MS)
    const before = (await cluster.findPrimary())!
    const from = performance.now()
    const repair = await cause(cluster)
    if (isFailover) await cluster.waitForOtherPrimary(before)
    const repaired = performance.now()
    const failover = repaired - from
    await cluster.waitFor('booking after the fault', async () => load.successes.some((time) => time > repaired + 1_000))
    const gap = longestGap(load.successes, from)
    if (isFailover) ratios.push(gap / failover)
    console.log(
      `${round + 1}. ${name}: ${seconds(gap)} s without a booking${isFailover ? `, failover ${seconds(failover)} s` : ''}; ${load.confirmed.size} confirmed, ${load.postponed} postponed`,
    )
    repair()
    await cluster.waitUntilHealthy()
  }
}

describe('a primary that is cut off together with a service', () => {
  itOnCluster('confirms nothing, and what either side has confirmed is there when it is healed', async () => {
    const { cluster, key, serve } = await start()
    const former = (await cluster.findPrimary())!
    const inside = await serve(cluster.addressOn(former))
    const outside = await serve(cluster.address)
    former.addProgram(inside.running.pid!)
    const [insideLoad, outsideLoad] = [createLoad(), createLoad()]
    const ends = [
      startClients(insideLoad, [inside.url], { key, name: 'I', count: CLIENTS / 2 }),
      startClients(outsideLoad, [outside.url], { key, name: 'O', count: CLIENTS / 2 }),
    ]
    await cluster.waitFor('bookings on both sides', async () =>
      [insideLoad, outsideLoad].every((load) => load.confirmed.size > 100),
    )
    former.cutOff()
    await cluster.waitForOtherPrimary(former)
    const promoted = performance.now()
    const { postponed, confirmed } = insideLoad
    const confirmedBefore = confirmed.size
    await cluster.waitFor('booking outside', async () => outsideLoad.successes.some((time) => time > promoted + 5_000))
    await cluster.waitFor('answers inside', async () => insideLoad.postponed >= postponed + CLIENTS)
    const confirmedWhileCutOff = confirmed.size - confirmedBefore
    const refusedWhileCutOff = insideLoad.postponed - postponed
    former.heal()
    await cluster.waitUntilHealthy()
    await cluster.waitFor('booking inside', async () => confirmed.size > confirmedBefore)
    for (const end of ends) await end()
    const outcome = await checkBookings(cluster, {
      ...createLoad(),
      confirmed: new Map([...confirmed, ...outsideLoad.confirmed]),
      duplicates: [...insideLoad.duplicates, ...outsideLoad.duplicates],
    })
    console.log(
      `inside: ${confirmedBefore} bookings confirmed before the cut, ${refusedWhileCutOff} calls refused during it, ${confirmed.size} bookings in all; outside: ${outsideLoad.confirmed.size}`,
    )
    expect({
      confirmedWhileCutOff,
      ...outcome,
      undeclared: [...insideLoad.undeclared, ...outsideLoad.undeclared],
    }).toEqual({ confirmedWhileCutOff: 0, lost: [], doubleBookings: [], duplicates: [], undeclared: [] })
  })
})

describe('a booking whose wait for a standby is cancelled', () => {
  itOnCluster('is not confirmed, and a repeated call is answered when a standby has it', async () => {
    const { cluster, key, serve } = await start({ hasNetwork: false })
    const { url } = await serve(cluster.address)
    const primary = (await cluster.findPrimary())!
    const standbys = cluster.nodes.filter((node) => node !== primary)
    const { url: bookUrl, ...request } = createBooking({ name: 'X', facility: 0, url, key }, 0)
    const findWaiting = () => cluster.query("select pid from pg_stat_activity where wait_event = 'SyncRep'")
    const waitForCommit = () => cluster.waitFor('waiting commit', async () => (await findWaiting()).length > 0)

    for (const standby of standbys) standby.freeze()
    const first = fetch(bookUrl, request)
    await waitForCommit()
    await cluster.query("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
    const refused = await first
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    const repeated = fetch(bookUrl, request)
    await waitForCommit()
    for (const standby of standbys) standby.resume()
    const answered = await repeated
    expect([answered.status, answered.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    const { data } = (await answered.json()) as { data: { id: string } }

    await cluster.waitUntilHealthy()
    await primary.kill()
    await cluster.waitForOtherPrimary(primary)
    expect(await cluster.query('select id from appointment')).toEqual([{ id: data.id }])
  })
})

describe('reads on replicas that follow another primary', () => {
  itOnCluster('show a caller its own bookings', async () => {
    const { cluster, key, serve } = await start({ hasNetwork: false })
    const replicas = cluster.address.replace(/\?.*/, '')
    const { url } = await serve(cluster.address, { STUDIO_DB_READ: replicas })
    const load = createLoad()
    const stop = new AbortController()
    const clients = [0, 1, 2, 3].map((facility) =>
      bookAndRead(load, { name: `R${facility}`, facility, url, key }, stop.signal),
    )
    for (let failover = 0; failover < 2; failover++) {
      await sleep(LOAD_BEFORE_FAULT_MS)
      const former = (await cluster.findPrimary())!
      await former.kill()
      const primary = await cluster.waitForOtherPrimary(former)
      former.start()
      await cluster.waitUntilHealthy()
      for (const replica of cluster.nodes.filter((node) => node !== primary)) {
        const scans = async () => (await cluster.queryOn(replica, countScans))[0].scans as number
        const before = await scans()
        await cluster.waitFor(`read on ${replica.name}`, async () => (await scans()) > before + 10)
      }
    }
    stop.abort()
    const read = (await Promise.all(clients)).reduce((sum, count) => sum + count, 0)
    console.log(`${load.confirmed.size} bookings confirmed, ${read} of them read at once`)
    expect(read).toBeGreaterThan(0)
    expect([...load.undeclared, ...load.duplicates]).toEqual([])
  })
})

/** How often a server has read tables, which only studio does on a standby. */
const countScans = 'select sum(seq_scan + coalesce(idx_scan, 0))::int as scans from pg_stat_user_tables'

function printOutcome(load: Load, outcome: Awaited<ReturnType<typeof checkBookings>>, ratios: readonly number[]): void {
  const count = (name: string, value: number) => printFigure({ name, value, unit: '', decimals: 0, atMost: 0 })
  console.log(`\n${ROUNDS} faults under load of ${CLIENTS} clients, ${ratios.length} of them failovers`)
  printFigure({ name: 'bookings confirmed', value: load.confirmed.size, unit: '', decimals: 0 })
  count('confirmed bookings lost', outcome.lost.length)
  count('double bookings', outcome.doubleBookings.length)
  count('duplicates of an idempotency key', outcome.duplicates.length)
  count('other answers than success, 429, 503 with Retry-After', load.undeclared.length)
  const ratio = 'time without a booking ÷ failover time of Patroni'
  printFigure({ name: `${ratio}, median`, value: median(ratios), atMost: 1.3 })
  printFigure({ name: `${ratio}, most`, value: Math.max(...ratios), atMost: 1.3 })
}
