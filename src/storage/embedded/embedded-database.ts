import { StudioError } from '../../kernel'
import { type CommitObserver, type LogPosition, registerLogPosition } from '../services/commit-observer'
import { createTransaction, type Database, type ReadTx, type WriteTx } from '../services/database'
import type { BackingStore } from './backing-store'
import { createKysely } from './dialect'
import { type Commit, classifyStatement } from './statements'
import { tooManyConflictsError } from './storage-errors'

/** Commits that share one sync are at most so many, and have taken at most so long to run. */
const MAX_GROUP_SIZE = 256
const MAX_GROUP_MS = 20
/** So often is a transaction run again that other processes disturb, each time after its turn has come again. */
const MAX_ATTEMPTS = 50

interface PendingWrite {
  work(tx: WriteTx): Promise<unknown>
  attempts: number
  resolve(value: any): void
  reject(error: unknown): void
}

type Outcome = { value: unknown } | { error: unknown }

/**
 * A SQLite database in memory. One transaction runs at a time; writers that wait at the same time are committed together,
 * and each hears of it when all of them are on disk. Nobody sees what is not.
 */
export class EmbeddedDatabase implements Database {
  readonly #backing: BackingStore
  readonly #tx = createTransaction(
    'sqlite',
    async (sql, parameters) => this.#run(sql, parameters).rows,
    () => createKysely((sql, parameters) => this.#run(sql, parameters)),
  )
  readonly #waiting: PendingWrite[] = []
  #last: Promise<unknown> = Promise.resolve()
  #writing: Promise<void> | null = null
  /** What the transaction that is open has changed; null in one that only reads. */
  #made: Commit | null = null
  #isClosed = false
  readonly #watch: CommitNotifier | null

  constructor(backing: BackingStore, watch: CommitObserver | null = null) {
    this.#backing = backing
    this.#watch = watch && new CommitNotifier(watch, backing)
    registerLogPosition(this.#tx, () => backing.position())
  }

  async read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R> {
    this.#requireUsable()
    return this.#alone(async () => {
      if (!this.#backing.isUpToDate()) await this.#backing.catchUp({ toWrite: false })
      this.#backing.connection.runControl('begin')
      try {
        return await work(this.#tx)
      } finally {
        this.#backing.connection.runControl('rollback') // there is nothing to keep
      }
    })
  }

  async write<R>(work: (tx: WriteTx) => Promise<R>): Promise<R> {
    this.#requireUsable()
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ work, attempts: 0, resolve, reject })
      this.#writing ??= this.#writeAll()
    })
  }

  version(): object | null {
    return this.#isClosed ? null : this.#backing.version()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#writing
    await this.#alone(() => this.#backing.close())
  }

  #requireUsable(): void {
    if (this.#isClosed) throw new StudioError('unavailable', 'The database is closed.')
  }

  /** They share one connection. */
  #alone<R>(work: () => Promise<R>): Promise<R> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }

  async #writeAll(): Promise<void> {
    const { writeLock: turn } = this.#backing
    while (this.#waiting.length > 0) {
      try {
        await turn.acquire() // readers go on meanwhile
        do await this.#alone(() => this.#writeTogether())
        while (this.#waiting.length > 0 && turn.isHeld && !turn.isContended)
        turn.release()
      } catch (error) {
        for (const { reject } of this.#waiting.splice(0)) reject(error)
      }
    }
    this.#writing = null
  }

  async #writeTogether(): Promise<void> {
    const together: PendingWrite[] = []
    try {
      if (!this.#backing.isUpToDate()) await this.#backing.catchUp({ toWrite: true })
      const outcomes = await this.#tryTogether(together)
      if (outcomes === null) return this.#waitAgain(together)
      for (const [i, outcome] of outcomes.entries()) {
        if ('error' in outcome) together[i]!.reject(outcome.error)
        else together[i]!.resolve(outcome.value)
      }
    } catch (error) {
      for (const { reject } of together.length > 0 ? together : this.#waiting.splice(0)) reject(error)
    }
  }

  /** Another process has overtaken this one: the turn must be had again, and the work be done on what is there now. */
  #waitAgain(together: readonly PendingWrite[]): void {
    const mayGoOn = together.filter((one) => ++one.attempts < MAX_ATTEMPTS)
    for (const { attempts, reject } of together) if (attempts >= MAX_ATTEMPTS) reject(tooManyConflictsError())
    this.#waiting.unshift(...mayGoOn)
  }

  /** Runs and commits some of those that wait, and puts them into `together`. Null when another process was faster. */
  async #tryTogether(together: PendingWrite[]): Promise<Outcome[] | null> {
    const { connection } = this.#backing
    const commit: Commit = { statements: [], changes: 0 }
    this.#watch?.start()
    connection.runControl('begin')
    try {
      const outcomes = await this.#runTogether(together, commit)
      if (commit.statements.length > 0 && !(await this.#backing.commit(commit))) {
        this.#takeBack()
        return null
      }
      this.#keepInMemory()
      if (commit.statements.length > 0) await this.#watch?.notify(this.#tx)
      return outcomes
    } catch (error) {
      this.#takeBack()
      throw error
    } finally {
      this.#watch?.stop()
    }
  }

  async #runTogether(together: PendingWrite[], commit: Commit): Promise<Outcome[]> {
    const until = performance.now() + MAX_GROUP_MS
    const outcomes: Outcome[] = []
    while (together.length < MAX_GROUP_SIZE) {
      const next = together.length === 0 || performance.now() < until ? this.#waiting.shift() : undefined
      if (next === undefined) break
      together.push(next)
      outcomes.push(await this.#runOne(next, commit))
    }
    return outcomes
  }

  async #runOne({ work }: PendingWrite, commit: Commit): Promise<Outcome> {
    const { connection } = this.#backing
    const made: Commit = { statements: [], changes: 0 }
    const isFirst = commit.statements.length === 0
    if (!isFirst) connection.runControl('savepoint one')
    this.#made = made
    try {
      const value = await work(this.#tx)
      if (!isFirst) connection.runControl('release one')
      commit.statements.push(...made.statements)
      commit.changes += made.changes
      return { value }
    } catch (error) {
      connection.runControl(isFirst ? 'rollback' : 'rollback to one')
      connection.runControl(isFirst ? 'begin' : 'release one')
      return { error }
    } finally {
      this.#made = null
    }
  }

  #run<Row>(sql: string, parameters: readonly unknown[]) {
    const kind = classifyStatement(sql)
    if (kind !== 'read' && this.#made === null) {
      throw new Error(`nothing is changed outside of a transaction that writes: ${sql}`)
    }
    const ran = this.#backing.connection.run<Row>(sql, parameters)
    if (kind !== 'read') {
      const made = this.#made!
      if (this.#backing.recordsStatements || made.statements.length === 0) made.statements.push({ sql, parameters })
      made.changes += ran.changes
    }
    return ran
  }

  /** It counts already: should the memory fail now, it is read anew. */
  #keepInMemory(): void {
    try {
      this.#backing.connection.runControl('commit')
    } catch {
      this.#backing.unload()
    }
  }

  #takeBack(): void {
    try {
      this.#backing.connection.runControl('rollback')
    } catch {
      this.#backing.unload() // the engine has ended the transaction itself, or the memory is gone
    }
  }
}

/** Gathers what one commit after the other changes, and tells the watch. It is never in the way of a commit. */
export class CommitNotifier {
  readonly #watch: CommitObserver
  readonly #backing: BackingStore
  #changed = new Map<string, Set<number>>()
  #before: LogPosition | null = null

  constructor(watch: CommitObserver, backing: BackingStore) {
    this.#watch = watch
    this.#backing = backing
  }

  /** From here on rows are noted, also those of work that is taken back. */
  start(): void {
    this.#changed = new Map(this.#watch.tables.map((table) => [table, new Set()]))
    this.#before = this.#position()
    this.#backing.connection.observeRows((table, key) => this.#changed.get(table)?.add(key))
  }

  /** That what was noted is on disk. What the watch makes of it is its own affair: the commit counts. */
  async notify(tx: ReadTx): Promise<void> {
    const commit = { changed: this.#changed, before: this.#before, after: this.#position(), tx }
    await this.#watch.committed(commit).catch(() => {})
  }

  /** What others have changed is not noted when it is taken up. */
  stop(): void {
    try {
      this.#backing.connection.observeRows(null)
    } catch {
      // the memory is gone, and what noted its rows with it
    }
  }

  /** Null also where the files cannot be looked at just now: the watch then goes by what the log says later. */
  #position(): LogPosition | null {
    try {
      return this.#backing.position()
    } catch {
      return null
    }
  }
}
