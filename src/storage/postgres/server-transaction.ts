import type { SendQuery } from './dialect'
import { isLost, type PoolClient } from './pool'
import { ConnectionError, endsConnection, getSqlState, UnreplicatedError } from './postgres-errors'
import { isOutdatedStatement, namePrepared, prepareAgain } from './prepared-statements'

export interface TransactionKind {
  begin: string
  /** The connection counts as lost if a statement takes longer than this; 0 disables the timeout. */
  queryTimeoutMs: number
  /** Whether it cannot change anything, so that no one needs to wait for its commit. */
  isReadOnly?: boolean
}

/**
 * A transaction on a connection. It waits for the server as rarely as possible, because a booking locks its facility meanwhile: the begin
 * is sent together with the first statement that only reads, and the commit together with the last statements whose results are not needed.
 */
export class ServerTransaction {
  readonly #client: PoolClient
  readonly #sendNow: SendQuery
  readonly #isReadOnly: boolean
  readonly #beginning: Promise<unknown>
  #hasBegun = false
  #hasEnded = false
  /** The last statement that was not waited for. The server answers in order, so the answers to all of them are there when its answer is. */
  #lastDeferred: Promise<void> = Promise.resolve()
  /** The first failure of a statement that was not waited for. */
  #failure: { error: unknown } | null = null

  constructor(client: PoolClient, kind: TransactionKind) {
    this.#client = client
    this.#sendNow = createSendQuery(client, kind)
    this.#isReadOnly = kind.isReadOnly === true
    this.#beginning = this.#sendNow(kind.begin, [])
    this.#beginning.catch(() => {})
  }

  readonly send: SendQuery = async (text, parameters, name) => {
    this.#requireOpen()
    if (this.#hasBegun) return this.#sendNow(text, parameters, name)
    // Without a transaction, a change would be permanent at once.
    if (!/^\s*select\b/i.test(text)) {
      await this.#begin()
      this.#requireOpen()
    }
    const answer = this.#sendNow(text, parameters, name)
    answer.catch(() => {})
    await this.#begin()
    return answer
  }

  /** Sends a statement without waiting for its result. `commit` throws its error. */
  async sendLater(...statement: Parameters<SendQuery>): Promise<void> {
    if (!this.#hasBegun) await this.#begin()
    this.#requireOpen()
    this.#lastDeferred = this.#sendNow(...statement).then(
      () => {},
      (error) => {
        this.#failure ??= { error }
      },
    )
  }

  async commit(): Promise<void> {
    this.#hasEnded = true
    await this.#begin()
    if (this.#isReadOnly) return void this.#sendNow('commit', []).catch(() => {})
    const { outcome, isReplicated } = await this.#sendCommit()
    await this.#lastDeferred
    // If the server refused a statement, it has committed nothing. One that the driver refused was never sent.
    if (this.#failure && (isAnswer(this.#failure.error) || !('error' in outcome))) throw this.#failure.error
    if ('error' in outcome) {
      const { error } = outcome
      throw error instanceof ConnectionError ? new ConnectionError('committing', error.cause) : error
    }
    if (!isReplicated) throw new UnreplicatedError()
    // The server rolls back instead if the work continued after a failed statement.
    if (outcome.command !== 'COMMIT') throw new Error('a failed transaction cannot be committed')
  }

  async #sendCommit() {
    let isReplicated = true
    const takeNotice = ({ routine }: { routine?: string | undefined }) => {
      if (routine === STANDBY_WAIT) isReplicated = false
    }
    this.#client.on('notice', takeNotice)
    const outcome = await this.#sendNow('commit', []).catch((error: unknown) => ({ error }))
    this.#client.off('notice', takeNotice)
    return { outcome, isReplicated }
  }

  /** Returns the error of a statement that was not waited for, or null. Later ones fail because of it. */
  async rollback(): Promise<{ error: unknown } | null> {
    this.#hasEnded = true
    await this.#begin()
    await this.#sendNow('rollback', [])
    await this.#lastDeferred
    return this.#failure
  }

  /** A statement that is sent after the end would be permanent at once, or be part of another transaction on the connection. */
  #requireOpen(): void {
    if (this.#hasEnded) throw new Error('a statement was sent after the end of its transaction')
  }

  async #begin(): Promise<void> {
    await this.#beginning
    this.#hasBegun = true
  }
}

/**
 * The function of the server that waits for synchronous standbys. If the wait is cancelled, the commit succeeds with a warning that names
 * it. The text of the warning depends on the language of the server.
 */
const STANDBY_WAIT = 'SyncRepWaitForLSN'

/** Whether the server answered with the error, rather than that the answer was lost. */
function isAnswer(error: unknown): boolean {
  return getSqlState(error instanceof ConnectionError ? error.cause : error) !== null
}

function createSendQuery(client: PoolClient, { queryTimeoutMs }: TransactionKind): SendQuery {
  return async (text, parameters, name) => {
    const query = {
      name: name === undefined ? undefined : namePrepared(client, name),
      text,
      values: [...parameters],
      query_timeout: queryTimeoutMs,
    }
    try {
      return await client.query(query)
    } catch (error) {
      if (isOutdatedStatement(error)) prepareAgain(client)
      const hasTimedOut = error instanceof Error && error.message === 'Query read timeout'
      throw hasTimedOut || isLost(client) || endsConnection(error) ? new ConnectionError('working', error) : error
    }
  }
}
