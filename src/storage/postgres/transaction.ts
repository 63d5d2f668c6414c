import { setTimeout as sleep } from 'node:timers/promises'
import { nextTurn } from '../../kernel/work/budget'
import { createTransaction, type WriteTx } from '../services/database'
import { createKysely } from './dialect'
import type { Pool } from './pool'
import { ConnectionError, isConflict, isConstraintViolation } from './postgres-errors'
import { isOutdatedStatement } from './prepared-statements'
import { ServerTransaction, type TransactionKind } from './server-transaction'

export type { TransactionKind }

const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
/** The server releases the rows that a paused process has locked. */
const IDLE_TIMEOUT_MS = 15_000

/** Set in each transaction, so that a connection pooler works. */
const limits = [
  `set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  `set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
  `set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
  // A role may be configured to hide the warning that a commit was not replicated.
  'set local client_min_messages = warning',
].join('; ')
const withTimeouts = (mode: string): TransactionKind => ({
  begin: `begin isolation level ${mode}; ${limits}`,
  queryTimeoutMs: STATEMENT_TIMEOUT_MS + 5_000,
})

export const readTransaction = { ...withTimeouts('repeatable read, read only'), isReadOnly: true }
/** The engine rejects transactions that are not serializable, and they run again. */
export const serializableWrite = withTimeouts('serializable')
/** Each statement sees the rows as of its start, so locked rows are read in their latest state. */
export const rowLockingWrite = withTimeouts('read committed')
/** A change of the schema may take long, so it has no timeouts. */
export const schemaChange: TransactionKind = { begin: 'begin isolation level read committed', queryTimeoutMs: 0 }

/** The same for a write that a follower ends. */
export function withFollower(kind: TransactionKind): TransactionKind {
  return { ...kind, begin: `${kind.begin}; set local studio.follower = 'on'` }
}

/** The same, begun as the last step of a transaction that has another purpose. */
export function chainTransaction(kind: TransactionKind): TransactionKind {
  return { ...kind, begin: kind.begin.replace(/^begin (isolation level)/, 'commit and chain; set transaction $1') }
}

/** Runs `work` once in a transaction. Throws a `ConnectionError` if the connection fails. */
export async function runTransaction<R>(
  pool: Pick<Pool, 'connect'>,
  kind: TransactionKind,
  work: (tx: WriteTx) => Promise<R>,
): Promise<R> {
  const client = await pool.connect().catch((error) => {
    throw new ConnectionError('connecting', error)
  })
  let isReusable = false
  try {
    const transaction = new ServerTransaction(client, kind)
    const result = await work(wrapTransaction(transaction)).catch(async (error) => {
      const earlier = await transaction.rollback()
      isReusable = true
      throw earlier ? earlier.error : error
    })
    await transaction.commit().catch((error) => {
      isReusable = !(error instanceof ConnectionError) // a rejected commit also ends the transaction
      throw error
    })
    isReusable = true
    return result
  } finally {
    client.release(!isReusable)
  }
}

function wrapTransaction(transaction: ServerTransaction): WriteTx {
  return createTransaction('postgres', {
    send: async (...statement) => (await transaction.send(...statement)).rows,
    sendLater: (sql, parameters, name) => transaction.sendLater(sql, parameters, name),
    pause: () => nextTurn(),
    build: () => createKysely(transaction.send),
  })
}

/** How long conflicts are retried before the call fails with `database_busy`. */
const CONFLICT_TIMEOUT_MS = 10_000
const MAX_RUNS_ON_CONSTRAINT_VIOLATION = 4
/** A connection that died in the pool is noticed by its first use. */
const MAX_RUNS_ON_CONNECTION_LOSS = 2
const MIN_PAUSE_MS = 2
const MAX_PAUSE_MS = 200

/** Runs a transaction again if its error is transient; throws any other error. */
export async function retryTransaction<R>(
  transaction: () => Promise<R>,
  conflictTimeoutMs = CONFLICT_TIMEOUT_MS,
): Promise<R> {
  const deadline = performance.now() + conflictTimeoutMs
  for (let run = 1; ; run++) {
    try {
      return await transaction()
    } catch (error) {
      if (!isRetryable(error, run, deadline)) throw error
      await sleep(pauseMs(run))
    }
  }
}

function isRetryable(error: unknown, run: number, deadline: number): boolean {
  if (isConflict(error) || isOutdatedStatement(error)) return performance.now() < deadline
  if (isConstraintViolation(error)) return run < MAX_RUNS_ON_CONSTRAINT_VIOLATION
  return error instanceof ConnectionError && error.phase === 'working' && run < MAX_RUNS_ON_CONNECTION_LOSS
}

/** Exponential backoff with full jitter, so that two transactions do not collide again. */
function pauseMs(run: number): number {
  return Math.random() * Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** run)
}
