import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { SyncMemory, SyncState } from '../items'
import { authorize } from '../kernel'
import { DEFAULT_TRACKER_NAME } from '../kernel/text/item-reference'
import { secondsSince } from '../kernel/time'
import type { Database } from '../storage'
import type { AppRoute } from './app-env'
import type { Observer } from './call'
import type { Caller } from './callers/caller'
import type { ConnectionLimit } from './connections/connection-limit'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Metrics in the Prometheus format. Labels are patterns of the API and names of the settings, never values that a caller chose. `database`
 * is null for one in a file.
 */
export async function openMetrics(database: InspectedDatabase | null, sync: { memory: SyncMemory; now(): number }) {
  const { default: prometheus } = await import('prom-client')
  const { Registry, Counter, Gauge, Histogram, collectDefaultMetrics } = prometheus
  const registers = [new Registry()]
  collectDefaultMetrics({ register: registers[0]! })
  const requests = new Counter({
    name: 'studio_http_requests_total',
    help: 'Requests that were answered, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'studio_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  const underWay = new Gauge({ name: 'studio_http_requests_in_progress', help: 'Requests under way', registers })
  const aborted = new Counter({
    name: 'studio_http_requests_aborted_total',
    help: 'Requests whose caller left before the end of the answer',
    registers,
  })
  const limited = new Counter({
    name: 'studio_http_requests_limited_total',
    help: 'Requests that a limit of their caller refused: of requests per second, or of concurrent calls',
    labelNames: ['limit'],
    registers,
  })
  const refusedConnections = new Counter({
    name: 'studio_http_connections_refused_total',
    help: 'Connections that were closed at once: beyond all that the service accepts, or beyond the share of one address',
    labelNames: ['limit'],
    registers,
  })
  createSyncGauges(prometheus, registers[0]!, sync)
  const measureServer = database && createServerGauges(prometheus, registers[0]!, database)
  const observer: Observer = {
    begun: () => underWay.inc(),
    ended(call, outcome) {
      const method = METHODS.has(call.method) ? call.method : 'other'
      const route = call.route ?? 'unmatched'
      underWay.dec()
      if (outcome.aborted) aborted.inc()
      if (call.limitedBy !== null) limited.inc({ limit: call.limitedBy })
      requests.inc({ method, route, status: outcome.status })
      durations.observe({ method, route }, outcome.durationMs / 1000)
    },
  }
  /** `GET /metrics`, for callers who may read. */
  const route = (caller: Pick<Caller, 'actorFor'>): AppRoute => ({
    method: 'GET',
    path: '/metrics',
    async handler(c) {
      authorize({ access: 'workspace', effect: 'read' }, caller.actorFor(c.env.call, 'workspace'))
      await measureServer?.()
      return c.body(await registers[0]!.metrics(), 200, { 'Content-Type': registers[0]!.contentType })
    },
  })
  const countRefusedConnection = (limit: ConnectionLimit) => refusedConnections.inc({ limit })
  return { ...observer, countRefusedConnection, route }
}

/** How old the work items of each tracker are, for a service that synchronizes them. */
function createSyncGauges(
  { Gauge }: typeof import('prom-client'),
  registry: Registry,
  { memory, now }: { memory: SyncMemory; now(): number },
): void {
  const gauge = (name: string, help: string, read: (state: SyncState) => number | null) =>
    new Gauge({
      name: `studio_sync_${name}`,
      help,
      labelNames: ['tracker'],
      registers: [registry],
      collect() {
        this.reset()
        for (const state of memory.states ?? []) {
          const value = read(state)
          if (value !== null) this.set({ tracker: state.name ?? DEFAULT_TRACKER_NAME }, value)
        }
      },
    })
  gauge('age_seconds', 'Time since all work items were compared with their tracker', ({ checkedAt }) =>
    secondsSince(checkedAt, now()),
  )
  gauge('failures', 'How often the sync has failed since it last succeeded', ({ failures }) => failures)
}

/** How long a request for metrics waits for the database server. */
const SERVER_TIMEOUT_MS = 2_000

type InspectedDatabase = Required<Pick<Database, 'inspectServer' | 'inspectPool'>>

/** Gauges of a database server. Returns what measures them. While the server does not answer, only those of this process have values. */
function createServerGauges({ Gauge }: typeof import('prom-client'), registry: Registry, database: InspectedDatabase) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge<Label>({ name: `studio_database_${name}`, help, labelNames, registers: [registry] })
  const up = gauge('up', '1 if the database server answers, 0 if not')
  const pool = gauge('pool_connections', 'Connections of this process: in use, idle, and calls that wait', ['state'])
  const connections = gauge('connections', 'Connections of all programs to the server')
  const limit = gauge('connections_limit', 'Connections that the server accepts')
  const oldest = gauge('oldest_transaction_seconds', 'How long the oldest transaction has been open')
  const lagBytes = gauge('replication_lag_bytes', 'Changes that a standby has not applied', ['standby'])
  const lagSeconds = gauge('replication_lag_seconds', 'How long a standby took to apply the last changes', ['standby'])
  const ready = gauge('replica_ready', '1 if a server of STUDIO_DB_READ runs reads, 0 if not', ['replica'])
  const labelled = [pool, lagBytes, lagSeconds, ready]
  const single = [up, connections, limit, oldest]
  const inspectServer = shareRunning(() => database.inspectServer().catch(() => null))
  return async () => {
    const state = await Promise.race([inspectServer(), sleep(SERVER_TIMEOUT_MS, null, { ref: false })])
    for (const each of labelled) each.reset()
    for (const each of single) each.remove() // a reset would set it to 0
    up.set(state === null ? 0 : 1)
    const own = database.inspectPool()
    if (own !== null) {
      pool.set({ state: 'used' }, own.open - own.idle)
      pool.set({ state: 'idle' }, own.idle)
      pool.set({ state: 'waiting' }, own.waiting)
    }
    if (state === null) return
    connections.set(state.connections.used)
    limit.set(state.connections.max)
    oldest.set(state.oldestTransaction?.seconds ?? 0)
    for (const { name, lagBytes: bytes, lagSeconds: seconds } of state.standbys ?? []) {
      lagBytes.set({ standby: name }, bytes)
      lagSeconds.set({ standby: name }, seconds)
    }
    for (const { name, state: current } of state.replicas) ready.set({ replica: name }, current === 'ready' ? 1 : 0)
  }
}

/** Calls that come while one is under way get its result, so that requests for metrics do not use up the connections of a slow server. */
function shareRunning<R>(run: () => Promise<R>): () => Promise<R> {
  let running: Promise<R> | null = null
  return () => {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }
}
