import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { shareCalls } from '../../kernel/work/share-calls'
import type { ReadTx } from '../services/database'
import { describeServer } from '../services/database-address'
import type { ReplicaState } from '../services/server-state'
import { openServerPool, type Pool, type PoolClient } from './pool'
import { ConnectionError, isConflict, isPrivilegeError } from './postgres-errors'
import { chainTransaction, readTransaction, runTransaction } from './transaction'

/** How long a read waits for a replica to catch up before it runs elsewhere. */
const CATCH_UP_MS = 100
const CATCH_UP_PAUSE_MS = 5
/** A replica that failed or lagged behind is checked again after this time. */
const REST_MS = 2_000
const CHECK_TIMEOUT_MS = 1_000

/** What a server is, and how far its log of changes goes. */
interface ServerLog {
  isStandby: boolean
  /** The cluster and the database in it, which are the same on a copy. */
  database: string
  /** The table of migrations, which differs between schemas; null if there is none. */
  schema: number | null
  /** Bytes since the beginning of the log: on a primary those of confirmed changes, on a standby those that it has replayed. */
  position: number
  /** Changes when another server becomes the primary. */
  timeline: number
}

/**
 * Without `synchronous_commit` a confirmed change may not be flushed yet. A role without `pg_read_all_stats` sees the timeline of a standby
 * only after its next checkpoint, so a standby may seem not to have caught up for some minutes after a failover.
 */
const serverLogQuery = `
  select standby as "isStandby",
    (select system_identifier from pg_control_system()) || '/' ||
      (select oid from pg_database where datname = current_database()) as database,
    to_regclass('schema_migration')::oid as schema,
    (case when standby then pg_last_wal_replay_lsn() else log_end end - '0/0')::float8 as position,
    case when standby then coalesce(
      (select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint()))
    else ('x' || left(pg_walfile_name(log_end), 8))::bit(32)::int end as timeline
  from pg_is_in_recovery() as standby, lateral (select case when standby then null
    when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn() end as log_end) as primary_log`

/** Reads where the log of the primary ends. */
export async function readLogEnd(pool: Pool): Promise<ServerLog> {
  const client = await pool.connect().catch((error) => {
    throw new ConnectionError('connecting', error)
  })
  let isReusable = false
  try {
    const query = { text: serverLogQuery, query_timeout: 2 * CHECK_TIMEOUT_MS } as { text: string }
    const log = (await client.query<ServerLog>(query)).rows[0]!
    isReusable = true
    return log
  } catch (error) {
    throw new ConnectionError('working', error)
  } finally {
    client.release(!isReusable)
  }
}

interface Replica {
  /** Host and port. */
  name: string
  pool: pg.Pool
  isInUse: boolean
  /** When it is checked again while it is not in use, by the monotonic clock. */
  restsUntil: number
  /** How many reads it runs for this process. */
  running: number
  /** When it last finished a read, by the monotonic clock. */
  answeredAt: number
}

/**
 * Runs reads on servers that copy the primary. A read sees everything that was committed before it began, by any process: it asks the
 * primary where its log ends, and a replica runs it only when it has replayed the log that far. Reads that begin at the same time ask once.
 */
export class Replicas {
  readonly #replicas: readonly Replica[]
  readonly #logEnd: () => Promise<ServerLog>
  #next = 0

  constructor(addresses: readonly string[], primary: Pool) {
    this.#replicas = addresses.map((address) => ({
      name: describeServer(address),
      pool: openServerPool(address, { connectTimeoutMs: CHECK_TIMEOUT_MS }),
      isInUse: true,
      restsUntil: 0,
      running: 0,
      answeredAt: 0,
    }))
    this.#logEnd = shareCalls(() => readLogEnd(primary))
  }

  /** The result of `work`; null if no replica can run it now. */
  async run<R>(work: (tx: ReadTx) => Promise<R>): Promise<{ result: R } | null> {
    const candidates = this.#listInUse()
    if (candidates.length === 0) return null
    const end = await this.#logEnd()
    if (end.isStandby) return null
    for (const replica of candidates) {
      const startedAt = performance.now()
      replica.running++
      try {
        const pool = { connect: () => connectCaughtUp(replica.pool, end) }
        const result = await runTransaction(pool, readInSameSession, work)
        replica.answeredAt = performance.now()
        return { result }
      } catch (error) {
        if (!isReplicaError(error)) throw error
        const isOnlyBusy = hasNotAnswered(error) && replica.answeredAt > startedAt
        if (!isOnlyBusy) rest(replica)
      } finally {
        replica.running--
      }
    }
    return null
  }

  /** Asks every replica whether it could run a read now. */
  async inspect(): Promise<ReplicaState[]> {
    const end = await this.#logEnd()
    return Promise.all(
      this.#replicas.map(async ({ name, pool }): Promise<ReplicaState> => {
        const timeout = sleep(CHECK_TIMEOUT_MS, 'timeout' as const, { ref: false })
        const error = await Promise.race([check(pool, end).catch((error) => error), timeout])
        if (error === undefined) return { name, state: 'ready', cause: null }
        if (error instanceof NotReady) return { name, state: error.state, cause: null }
        return { name, state: 'unavailable', cause: error instanceof Error ? error : new Error('no answer') }
      }),
    )
  }

  async end(): Promise<void> {
    await Promise.all(this.#replicas.map(({ pool }) => pool.end()))
  }

  /** The replicas in use, the least busy first, and each of equally busy ones in its turn. */
  #listInUse(): Replica[] {
    const at = this.#next++ % this.#replicas.length
    for (const replica of this.#replicas)
      if (!replica.isInUse && replica.restsUntil <= performance.now()) this.#checkAgain(replica)
    const inTurn = [...this.#replicas.slice(at), ...this.#replicas.slice(0, at)]
    return inTurn.filter(({ isInUse }) => isInUse).sort((a, b) => a.running - b.running)
  }

  /** Happens beside the reads, so that none waits for a server that hangs. */
  #checkAgain(replica: Replica): void {
    replica.restsUntil = Number.POSITIVE_INFINITY
    this.#logEnd()
      .then((end) => check(replica.pool, end))
      .then(
        () => {
          replica.isInUse = true
        },
        () => {
          replica.restsUntil = performance.now() + REST_MS
        },
      )
  }
}

/** Whether another server may run the read. A replica ends a read that needs rows which the primary has removed: that is a conflict. */
function isReplicaError(error: unknown): boolean {
  return error instanceof ConnectionError || isConflict(error) || isPrivilegeError(error)
}

/** As opposed to an answer that it cannot run the read now. */
function hasNotAnswered(error: unknown): boolean {
  return error instanceof ConnectionError && !(error.cause instanceof NotReady)
}

function rest(replica: Replica): void {
  replica.isInUse = false
  replica.restsUntil = performance.now() + REST_MS
}

/** Throws if the replica cannot run reads now. */
async function check(pool: pg.Pool, end: ServerLog): Promise<void> {
  const client = await connectCaughtUp(pool, end)
  let isReusable = false
  try {
    await endCheck(client)
    isReusable = true
  } finally {
    client.release(!isReusable)
  }
}

/** Continues on the connection that was checked, also behind a pooler: it changes servers only between transactions. */
const readInSameSession = chainTransaction(readTransaction)

/** A connection to a replica that has replayed the log up to `end`, in a transaction without a snapshot. Throws if it does not soon. */
async function connectCaughtUp(pool: pg.Pool, end: ServerLog): Promise<PoolClient> {
  const client = await pool.connect()
  try {
    const beginning = send(client, 'begin isolation level read committed, read only')
    const deadline = performance.now() + CATCH_UP_MS
    for (;;) {
      const [, { rows }] = await Promise.all([beginning, send<ServerLog>(client, serverLogQuery)])
      const state = compareLogs(rows[0]!, end)
      if (state === 'ready') return client
      if (state !== 'behind' || performance.now() > deadline) throw new NotReady(state)
      await sleep(CATCH_UP_PAUSE_MS)
    }
  } catch (error) {
    const isReusable = error instanceof NotReady && (await endCheck(client).then(Boolean, () => false))
    client.release(!isReusable)
    throw error
  }
}

const endCheck = (client: PoolClient) => send(client, 'rollback')

function send<Row extends object>(client: PoolClient, text: string) {
  return client.query<Row>({ text, query_timeout: CHECK_TIMEOUT_MS } as { text: string })
}

function compareLogs(log: ServerLog, end: ServerLog): Exclude<ReplicaState['state'], 'unavailable'> {
  if (log.database !== end.database) return 'other database'
  if (!log.isStandby) return 'no replica'
  if (log.timeline !== end.timeline || log.position < end.position) return 'behind'
  return log.schema === end.schema ? 'ready' : 'other database'
}

class NotReady extends Error {
  constructor(readonly state: ReplicaState['state']) {
    super(`the replica is ${state}`)
  }
}
