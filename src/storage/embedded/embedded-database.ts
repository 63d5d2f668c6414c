import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { StudioError } from '../../kernel'
import { asTx, type Database, type ReadTx, type WriteTx } from '../database'
import type { Backing } from './backing'
import { overtaken } from './damage'
import { kyselyOver } from './dialect'
import { type Commit, kindOf } from './statements'

/** Commits that share one sync are at most so many, and have taken at most so long to run. */
const MOST_TOGETHER = 256
const TOGETHER_MS = 20
const MOST_ATTEMPTS = 8

interface Waiting {
  work(tx: WriteTx): Promise<unknown>
  resolve(value: any): void
  reject(error: unknown): void
}

type Outcome = { value: unknown } | { error: unknown }

/**
 * A SQLite database in memory. One transaction runs at a time; writers that wait at the same time are committed together,
 * and each hears of it when all of them are on disk. Nobody sees what is not.
 */
export class EmbeddedDatabase implements Database {
  readonly #backing: Backing
  readonly #tx = asTx(kyselyOver((sql, parameters) => this.#run(sql, parameters)))
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #waiting: Waiting[] = []
  #last: Promise<unknown> = Promise.resolve()
  #writing: Promise<void> | null = null
  /** What the transaction that is open has changed; null in one that only reads. */
  #made: Commit | null = null
  #isClosed = false

  constructor(backing: Backing) {
    this.#backing = backing
  }

  async read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R> {
    this.#requireUsable()
    return this.#alone(async () => {
      if (!this.#backing.isUpToDate()) await this.#backing.catchUp({ toWrite: false })
      this.#backing.connection.control('begin')
      try {
        return await this.#inside.run(true, () => work(this.#tx))
      } finally {
        this.#backing.connection.control('rollback') // there is nothing to keep
      }
    })
  }

  async write<R>(work: (tx: WriteTx) => Promise<R>): Promise<R> {
    this.#requireUsable()
    // It runs with others', and yet in the caller's own context.
    const caller = new AsyncResource('studio-write')
    const inside = (tx: WriteTx) => caller.runInAsyncScope(() => this.#inside.run(true, () => work(tx)))
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ work: inside, resolve, reject })
      this.#writing ??= this.#writeAll()
    })
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#writing
    await this.#alone(() => this.#backing.close())
  }

  #requireUsable(): void {
    if (this.#inside.getStore()) throw new Error('a transaction was opened inside a transaction')
    if (this.#isClosed) throw new StudioError('unavailable', 'The database is closed.')
  }

  /** They share one connection. */
  #alone<R>(work: () => Promise<R>): Promise<R> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }

  async #writeAll(): Promise<void> {
    const { turn } = this.#backing
    while (this.#waiting.length > 0) {
      try {
        await turn.take() // readers go on meanwhile
        do await this.#alone(() => this.#writeTogether())
        while (this.#waiting.length > 0 && !turn.wanted)
        turn.release()
      } catch (error) {
        for (const { reject } of this.#waiting.splice(0)) reject(error)
      }
    }
    this.#writing = null
  }

  async #writeTogether(): Promise<void> {
    const together: Waiting[] = []
    try {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        if (!this.#backing.isUpToDate()) await this.#backing.catchUp({ toWrite: true })
        const outcomes = await this.#tryTogether(together)
        if (outcomes === null) continue
        for (const [i, outcome] of outcomes.entries()) {
          if ('error' in outcome) together[i]!.reject(outcome.error)
          else together[i]!.resolve(outcome.value)
        }
        return
      }
      throw overtaken()
    } catch (error) {
      for (const { reject } of together.length > 0 ? together : this.#waiting.splice(0)) reject(error)
    }
  }

  /** Runs and commits those that are in `together`, and those that still wait. Null when another process was faster. */
  async #tryTogether(together: Waiting[]): Promise<Outcome[] | null> {
    const { connection } = this.#backing
    const commit: Commit = { statements: [], changes: 0 }
    connection.control('begin')
    try {
      const outcomes = await this.#runTogether(together, commit)
      if (commit.statements.length > 0 && !(await this.#backing.commit(commit))) {
        this.#takeBack()
        return null
      }
      this.#keepInMemory()
      return outcomes
    } catch (error) {
      this.#takeBack()
      throw error
    }
  }

  async #runTogether(together: Waiting[], commit: Commit): Promise<Outcome[]> {
    const until = performance.now() + TOGETHER_MS
    const outcomes: Outcome[] = []
    for (let i = 0; i < MOST_TOGETHER; i++) {
      if (i === together.length) {
        const next = i === 0 || performance.now() < until ? this.#waiting.shift() : undefined
        if (next === undefined) break
        together.push(next)
      }
      outcomes.push(await this.#runOne(together[i]!, commit))
    }
    return outcomes
  }

  async #runOne({ work }: Waiting, commit: Commit): Promise<Outcome> {
    const { connection } = this.#backing
    const made: Commit = { statements: [], changes: 0 }
    connection.control('savepoint one')
    this.#made = made
    try {
      const value = await work(this.#tx)
      connection.control('release one')
      commit.statements.push(...made.statements)
      commit.changes += made.changes
      return { value }
    } catch (error) {
      connection.control('rollback to one')
      connection.control('release one')
      return { error }
    } finally {
      this.#made = null
    }
  }

  #run<Row>(sql: string, parameters: readonly unknown[]) {
    const kind = kindOf(sql)
    if (kind !== 'read' && this.#made === null) {
      throw new Error(`nothing is changed outside of a transaction that writes: ${sql}`)
    }
    const ran = this.#backing.connection.run<Row>(sql, parameters)
    if (kind !== 'read') {
      this.#made!.statements.push({ sql, parameters })
      this.#made!.changes += ran.changes
    }
    return ran
  }

  /** It counts already: should the memory fail now, it is read anew. */
  #keepInMemory(): void {
    try {
      this.#backing.connection.control('commit')
    } catch {
      this.#backing.forget()
    }
  }

  #takeBack(): void {
    try {
      this.#backing.connection.control('rollback')
    } catch {
      this.#backing.forget() // the engine has ended the transaction itself, or the memory is gone
    }
  }
}
