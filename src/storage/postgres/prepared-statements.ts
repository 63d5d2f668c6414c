import type { PoolClient } from './pool'
import { getSqlState } from './postgres-errors'

interface Preparation {
  /** Whether one server process serves the connection as long as it exists. Behind a pooler, that is not certain. */
  isDirect: boolean
  /** Part of the names, so that a statement can be prepared again. */
  generation: number
}

const preparations = new WeakMap<PoolClient, Preparation>()

/**
 * The name under which the connection may prepare a statement; undefined if it may not. A pooler reports another process than the one that
 * answers, and may change servers between transactions, so nothing is prepared there. The first call asks, and does not wait for the answer.
 */
export function namePrepared(client: PoolClient, name: string): string | undefined {
  const { isDirect, generation } = preparations.get(client) ?? examine(client)
  return isDirect ? `${name}_${generation}` : undefined
}

function examine(client: PoolClient): Preparation {
  const preparation = { isDirect: false, generation: 0 }
  preparations.set(client, preparation)
  const { processID } = client as unknown as { processID: number | null }
  client.query<{ pid: number }>('select pg_backend_pid() as pid').then(
    ({ rows }) => {
      preparation.isDirect = rows[0]!.pid === processID
    },
    () => preparations.delete(client),
  )
  return preparation
}

/**
 * The function of the server that plans a prepared statement again. It refuses one whose columns have changed. The text of that error
 * depends on the language of the server.
 */
const PLAN_CHECK = 'RevalidateCachedQuery'

/** Whether the prepared statement no longer exists, or its columns have changed. The transaction can run again. */
export function isOutdatedStatement(error: unknown): boolean {
  const state = getSqlState(error)
  return state === '26000' || (state === '0A000' && (error as { routine?: string }).routine === PLAN_CHECK)
}

/** Prepares every statement again. */
export function prepareAgain(client: PoolClient): void {
  const preparation = preparations.get(client)
  if (preparation) preparation.generation++
}
