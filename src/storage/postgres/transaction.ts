import { createTransaction, type WriteTx } from '../services/database'
import { createKysely, type SendQuery } from './dialect'
import { isLost, type Pool, type PoolClient } from './pool'
import { ConnectionError, endsConnection } from './postgres-errors'

export interface TransactionKind {
  begin: string
  /** A server that is silent for so long in one statement is taken for lost; 0 waits for ever. */
  queryTimeoutMs: number
}

const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
/** A process that was paused lets go of the rows that it holds. */
const IDLE_TIMEOUT_MS = 15_000

/** Set for each transaction anew, so that a pooler may stand between. */
const limits = [
  `set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  `set local lock_timeout = ${LOCK_TIMEOUT_MS}`,
  `set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
].join('; ')
const withTimeouts = (mode: string): TransactionKind => ({
  begin: `begin isolation level ${mode}; ${limits}`,
  queryTimeoutMs: STATEMENT_TIMEOUT_MS + 5_000,
})

export const readTransaction = withTimeouts('repeatable read, read only')
/** As if alone: the engine refuses what could not have come about one after the other, and it is run again. */
export const serializableWrite = withTimeouts('serializable')
/** Each statement sees what was there when it began: the rows that the work holds, as others left them. */
export const rowLockingWrite = withTimeouts('read committed')
/** A change of the schema takes its time. */
export const schemaChange: TransactionKind = { begin: 'begin isolation level read committed', queryTimeoutMs: 0 }

/** The same with a follower at its end. */
export function withFollower(kind: TransactionKind): TransactionKind {
  return { ...kind, begin: `${kind.begin}; set local studio.follower = 'on'` }
}

/** Runs `work` once, in a transaction of its own. A fault of the connection is thrown as `ConnectionFault`. */
export async function runTransaction<R>(
  pool: Pool,
  kind: TransactionKind,
  work: (tx: WriteTx) => Promise<R>,
): Promise<R> {
  const client = await pool.connect().catch((error) => {
    throw new ConnectionError('connecting', error)
  })
  let reusable = false
  try {
    const ask = createSendQuery(client, kind)
    await ask(kind.begin, [])
    const result = await work(wrapTransaction(ask)).catch(async (error) => {
      await ask('rollback', [])
      reusable = true
      throw error
    })
    await commit(ask).catch((error) => {
      reusable = !(error instanceof ConnectionError) // refused, the transaction is over all the same
      throw error
    })
    reusable = true
    return result
  } finally {
    client.release(!reusable)
  }
}

function wrapTransaction(ask: SendQuery): WriteTx {
  const send = async (text: string, parameters: readonly unknown[]) => (await ask(text, parameters)).rows
  return createTransaction('postgres', send, () => createKysely(ask))
}

async function commit(ask: SendQuery): Promise<void> {
  const { command } = await ask('commit', []).catch((error) => {
    throw error instanceof ConnectionError ? new ConnectionError('committing', error.cause) : error
  })
  // That is how the server answers when the work went on after a statement of it had failed.
  if (command !== 'COMMIT') throw new Error('a transaction that had failed was to be committed')
}

function createSendQuery(client: PoolClient, { queryTimeoutMs }: TransactionKind): SendQuery {
  return async (text, parameters) => {
    try {
      return await client.query({ text, values: [...parameters], query_timeout: queryTimeoutMs } as { text: string })
    } catch (error) {
      const silent = error instanceof Error && error.message === 'Query read timeout'
      throw silent || isLost(client) || endsConnection(error) ? new ConnectionError('working', error) : error
    }
  }
}
