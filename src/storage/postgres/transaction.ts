import { asTx, type WriteTx } from '../database'
import { type Ask, kyselyOver } from './dialect'
import { ConnectionFault, endsConnection } from './faults'
import { isLost, type Pool, type PoolClient } from './pool'

export interface TransactionKind {
  begin: string
  /** A server that is silent for so long in one statement is taken for lost; 0 waits for ever. */
  answerWithinMs: number
}

const STATEMENT_WITHIN_MS = 30_000
const LOCK_WITHIN_MS = 10_000
/** A process that was paused lets go of the rows that it holds. */
const IDLE_WITHIN_MS = 15_000

/** Set for each transaction anew, so that a pooler may stand between. */
const limits = [
  `set local statement_timeout = ${STATEMENT_WITHIN_MS}`,
  `set local lock_timeout = ${LOCK_WITHIN_MS}`,
  `set local idle_in_transaction_session_timeout = ${IDLE_WITHIN_MS}`,
].join('; ')
const bounded = (mode: string): TransactionKind => ({
  begin: `begin isolation level ${mode}; ${limits}`,
  answerWithinMs: STATEMENT_WITHIN_MS + 5_000,
})

export const reading = bounded('repeatable read, read only')
/** As if alone: the engine refuses what could not have come about one after the other, and it is run again. */
export const writingAlone = bounded('serializable')
/** Each statement sees what was there when it began: the rows that the work holds, as others left them. */
export const writingHeldRows = bounded('read committed')
/** A change of the schema takes its time. */
export const changingSchema: TransactionKind = { begin: 'begin isolation level read committed', answerWithinMs: 0 }

/** The same with a follower at its end. */
export function followed(kind: TransactionKind): TransactionKind {
  return { ...kind, begin: `${kind.begin}; set local studio.follower = 'on'` }
}

/** Runs `work` once, in a transaction of its own. A fault of the connection is thrown as `ConnectionFault`. */
export async function transact<R>(pool: Pool, kind: TransactionKind, work: (tx: WriteTx) => Promise<R>): Promise<R> {
  const client = await pool.connect().catch((error) => {
    throw new ConnectionFault('connecting', error)
  })
  let reusable = false
  try {
    const ask = askerOf(client, kind)
    await ask(kind.begin, [])
    const result = await work(txOver(ask)).catch(async (error) => {
      await ask('rollback', [])
      reusable = true
      throw error
    })
    await commit(ask).catch((error) => {
      reusable = !(error instanceof ConnectionFault) // refused, the transaction is over all the same
      throw error
    })
    reusable = true
    return result
  } finally {
    client.release(!reusable)
  }
}

function txOver(ask: Ask): WriteTx {
  const send = async (text: string, parameters: readonly unknown[]) => (await ask(text, parameters)).rows
  return asTx('postgres', send, () => kyselyOver(ask))
}

async function commit(ask: Ask): Promise<void> {
  const { command } = await ask('commit', []).catch((error) => {
    throw error instanceof ConnectionFault ? new ConnectionFault('committing', error.cause) : error
  })
  // That is how the server answers when the work went on after a statement of it had failed.
  if (command !== 'COMMIT') throw new Error('a transaction that had failed was to be committed')
}

function askerOf(client: PoolClient, { answerWithinMs }: TransactionKind): Ask {
  return async (text, parameters) => {
    try {
      return await client.query({ text, values: [...parameters], query_timeout: answerWithinMs } as { text: string })
    } catch (error) {
      const silent = error instanceof Error && error.message === 'Query read timeout'
      throw silent || isLost(client) || endsConnection(error) ? new ConnectionFault('working', error) : error
    }
  }
}
