import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { ReadTx } from '../services/database'
import { describeServer } from '../services/database-address'
import type { ReplicaState } from '../services/server-state'
import { openServerPool, type Pool, type PoolClient } from './pool'
import { ConnectionError, isConflict } from './postgres-errors'
import { readTransaction, runTransaction } from './transaction'

/** How long a read waits for a replica to catch up before it runs elsewhere. */
const CATCH_UP_MS = 100
const CATCH_UP_PAUSE_MS = 5
/** A replica that fails or lags behind gets no reads for this long. */
const REST_MS = 2_000
const CHECK_TIMEOUT_MS = 2_000

/** Where the primary's log of changes ends. The timeline changes when another server becomes the primary. */
export interface LogEnd {
  /** As PostgreSQL prints it: `0/16B3748` */
  position: string
  timeline: number
}

/** Reads where the log of the server ends, which must be the primary. */
export async function readLogEnd(pool: Pool): Promise<LogEnd> {
  const client = await pool.connect().catch((error) => {
    throw new ConnectionError('connecting', error)
  })
  let isReusable = false
  try {
    const text = `select pg_current_wal_flush_lsn()::text as position, pg_walfile_name(pg_current_wal_flush_lsn()) as file`
    const query = { text, query_timeout: CHECK_TIMEOUT_MS } as { text: string }
    const { position, file } = (await client.query<{ position: string; file: string }>(query)).rows[0]!
    isReusable = true
    return { position, timeline: Number.parseInt(file.slice(0, 8), 16) }
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
  /** When it may get reads again, by the monotonic clock. */
  restsUntil: number
}

/**
 * Runs reads on servers that copy the primary. A read sees everything that was committed before it began, by any process: it asks the
 * primary where its log ends, and a replica runs it only when it has replayed the log that far. Reads that begin at the same time ask once.
 */
export class Replicas {
  readonly #replicas: readonly Replica[]
  readonly #logEnd: () => Promise<LogEnd>
  #next = 0

  constructor(addresses: readonly string[], primary: Pool) {
    this.#replicas = addresses.map((address) => ({
      name: describeServer(address),
      pool: openServerPool(address),
      restsUntil: 0,
    }))
    this.#logEnd = shareCalls(() => readLogEnd(primary))
  }

  /** The result of `work`; null if no replica can run it now. */
  async run<R>(work: (tx: ReadTx) => Promise<R>): Promise<{ result: R } | null> {
    const ready = this.#listReady()
    if (ready.length === 0) return null
    const end = await this.#logEnd()
    for (const replica of ready) {
      try {
        const pool = { connect: () => connectCaughtUp(replica.pool, end) }
        return { result: await runTransaction(pool, readTransaction, work) }
      } catch (error) {
        // A replica ends a read that needs rows which the primary has removed; that counts as a conflict.
        if (!(error instanceof ConnectionError) && !isConflict(error)) throw error
        replica.restsUntil = performance.now() + REST_MS
      }
    }
    return null
  }

  /** Asks every replica whether it could run a read now. */
  async inspect(): Promise<ReplicaState[]> {
    const end = await this.#logEnd()
    return Promise.all(
      this.#replicas.map(async ({ name, pool }): Promise<ReplicaState> => {
        try {
          const client = await connectCaughtUp(pool, end)
          client.release()
          return { name, state: 'ready' }
        } catch (error) {
          return { name, state: error instanceof NotReady ? error.state : 'unavailable' }
        }
      }),
    )
  }

  async end(): Promise<void> {
    await Promise.all(this.#replicas.map(({ pool }) => pool.end()))
  }

  /** The replicas that do not rest, each first in its turn. */
  #listReady(): Replica[] {
    const at = this.#next++ % this.#replicas.length
    const inTurn = [...this.#replicas.slice(at), ...this.#replicas.slice(0, at)]
    return inTurn.filter(({ restsUntil }) => restsUntil <= performance.now())
  }
}

/** A connection to a replica that has replayed the log up to `end`. Throws if it does not soon. */
async function connectCaughtUp(pool: pg.Pool, end: LogEnd): Promise<PoolClient> {
  const client = await pool.connect()
  try {
    const deadline = performance.now() + CATCH_UP_MS
    for (;;) {
      const { isStandby, hasReplayed } = await compareLog(client, end)
      if (!isStandby) throw new NotReady('no replica')
      if (hasReplayed) return client
      if (performance.now() > deadline) throw new NotReady('behind')
      await sleep(CATCH_UP_PAUSE_MS)
    }
  } catch (error) {
    client.release(!(error instanceof NotReady))
    throw error
  }
}

/**
 * Whether the server is a standby, and has replayed the log of the same timeline up to `end`. A role without `pg_read_all_stats` sees
 * the timeline only after the next checkpoint, so it may take for one that has not caught up for some minutes after a failover.
 */
async function compareLog(client: PoolClient, { position, timeline }: LogEnd) {
  const text = `
    select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn() >= $1::pg_lsn and $2 = coalesce(
      (select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint())) as "hasReplayed"`
  const query = { text, values: [position, timeline], query_timeout: CHECK_TIMEOUT_MS } as { text: string }
  return (await client.query<{ isStandby: boolean; hasReplayed: boolean | null }>(query)).rows[0]!
}

class NotReady extends Error {
  constructor(readonly state: ReplicaState['state']) {
    super(`the replica is ${state}`)
  }
}

/**
 * Shares calls of a function among its callers. A caller never gets the result of a call that began before its own, so the calls that
 * arrive while one is under way share the next one.
 */
export function shareCalls<R>(call: () => Promise<R>): () => Promise<R> {
  let running: Promise<unknown> | null = null
  let next: Promise<R> | null = null
  const start = () => {
    next = null
    const started = call()
    running = started
    const end = () => {
      if (running === started) running = null
    }
    started.then(end, end)
    return started
  }
  return () => {
    if (running === null) return start()
    next ??= running.then(start, start)
    return next
  }
}
