import { StudioError } from '../../../kernel'
import { nextTurn } from '../../../kernel/work/budget'
import { type CommitObserver, type LogPosition, registerLogPosition } from '../../services/commit-observer'
import { createTransaction, type Database, type ReadTx, type WriteOptions, type WriteTx } from '../../services/database'
import { tooManyConflictsError } from '../storage-errors'
import type { BackingStore } from './backing-store'
import { createKysely } from './dialect'

/** The limits of a batch: of transactions that share one sync. */
const MAX_BATCH_SIZE = 256
const MAX_BATCH_MS = 20
/** How often a transaction runs if other processes commit first. */
const MAX_ATTEMPTS = 50
/** How often a long read runs again because rows were changed in its pauses. Then other transactions wait until it ends. */
const MAX_OVERTAKEN_READS = 2

interface PendingWrite {
  work(tx: WriteTx): Promise<unknown>
  continues: boolean
  attempts: number
  resolve(value: any): void
  reject(error: unknown): void
}

type Outcome = { value: unknown } | { error: unknown }

/** The pause of a transaction for whose end others wait. */
const pauseForOthers = () => nextTurn({ isAwaited: true })

/**
 * A SQLite database. One transaction runs at a time. Writers that wait at the same time are committed as one batch, and get
 * their results when the batch is on disk. No reader sees a change before that.
 */
export class EmbeddedDatabase implements Database {
  readonly #backing: BackingStore
  readonly #tx = createTransaction('sqlite', {
    send: async (sql, parameters) => this.#run(sql, parameters).rows,
    sendLater: async (sql, parameters, _, options) => void this.#run(sql, parameters, options),
    derived: (table) => this.#derived.of(table),
    pause: () => this.#pause(),
    build: () => createKysely((sql, parameters) => this.#run(sql, parameters)),
  })
  readonly #queue: PendingWrite[] = []
  #previous: Promise<void> = Promise.resolve()
  #writing: Promise<void> | null = null
  /** The statements of the open transaction that change something; null in one that only reads. */
  #changes: Set<string> | null = null
  readonly #derived = new DerivedValues()
  /** Lets other calls run within the open transaction. */
  #pause = pauseForOthers
  #isClosed = false
  readonly #notifier: CommitNotifier | null

  constructor(backing: BackingStore, observer: CommitObserver | null = null) {
    this.#backing = backing
    this.#notifier = observer && new CommitNotifier(observer, backing)
    registerLogPosition(this.#tx, () => backing.position())
  }

  async read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R> {
    for (let overtaken = 0; ; overtaken++) {
      const outcome = await this.#readOnce(work, { letsOthersWrite: overtaken < MAX_OVERTAKEN_READS })
      if (outcome !== 'overtaken') return outcome.value
    }
  }

  async write<R>(work: (tx: WriteTx) => Promise<R>, { continues = false }: WriteOptions = {}): Promise<R> {
    this.#requireUsable()
    return new Promise<R>((resolve, reject) => {
      this.#queue.push({ work, continues, attempts: 0, resolve, reject })
      this.#writing ??= this.#writeAll()
    })
  }

  async settle(): Promise<void> {
    await this.#notifier?.settle()
    this.#backing.settle()
  }

  async requireWritable(): Promise<void> {
    this.#requireUsable()
    await this.#backing.requireWritable()
  }

  version(): object | null {
    return this.#isClosed ? null : this.#backing.version()
  }

  loadedVersion(): object | null {
    return this.#isClosed ? null : this.#backing.loadedVersion()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#writing
    await this.settle()
    try {
      await this.#runExclusively(() => this.#backing.close())
    } finally {
      await this.#notifier?.close()
    }
  }

  #requireUsable(): void {
    if (this.#isClosed) throw new StudioError('unavailable', 'The database is closed.')
  }

  /** Transactions share one connection. Waits for those before, and returns what lets the next one begin. */
  #enter(): Promise<() => void> {
    const previous = this.#previous
    let leave!: () => void
    this.#previous = new Promise((resolve) => {
      leave = resolve
    })
    return previous.then(() => leave)
  }

  async #runExclusively<R>(work: () => Promise<R>): Promise<R> {
    const leave = await this.#enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  async #readOnce<R>(
    work: (tx: ReadTx) => Promise<R>,
    { letsOthersWrite }: { letsOthersWrite: boolean },
  ): Promise<{ value: R } | 'overtaken'> {
    this.#requireUsable()
    let leave = await this.#enter()
    let isOvertaken = false
    const pause = async () => {
      const seen = this.loadedVersion()
      // A database that is being closed ends with this read. Without a version, no one can say whether rows were changed meanwhile.
      if (seen === null) return pauseForOthers()
      this.#endRead()
      const mayContinue = this.#enter()
      leave()
      await nextTurn()
      leave = await mayContinue
      await this.#beginRead()
      isOvertaken = this.#backing.loadedVersion() !== seen
      if (isOvertaken) throw new Error('rows were changed in the pause of a read')
      this.#pause = pause
    }
    try {
      await this.#beginRead()
      try {
        if (letsOthersWrite) this.#pause = pause
        const value = await work(this.#tx)
        return isOvertaken ? 'overtaken' : { value }
      } catch (error) {
        if (isOvertaken) return 'overtaken'
        throw error
      } finally {
        this.#endRead()
      }
    } finally {
      leave()
    }
  }

  async #beginRead(): Promise<void> {
    if (!this.#backing.isUpToDate()) await this.#backing.catchUp({ toWrite: false })
    this.#derived.startAt(this.#backing.loadedVersion())
    this.#backing.connection.runControl('begin')
  }

  #endRead(): void {
    this.#pause = pauseForOthers
    this.#rollBack()
    this.#backing.rest()
  }

  async #writeAll(): Promise<void> {
    const { writeLock } = this.#backing
    while (this.#queue.length > 0) {
      try {
        await writeLock.acquire() // reads continue meanwhile
        do await this.#runExclusively(() => this.#writeBatch())
        while (this.#queue.length > 0 && writeLock.isHeld && !writeLock.isContended)
        writeLock.release()
      } catch (error) {
        for (const { reject } of this.#queue.splice(0)) reject(error)
      }
    }
    this.#writing = null
  }

  async #writeBatch(): Promise<void> {
    const batch: PendingWrite[] = []
    try {
      if (!this.#backing.isUpToDate()) await this.#backing.catchUp({ toWrite: true })
      this.#derived.startAt(this.#backing.loadedVersion())
      const outcomes = await this.#tryBatch(batch)
      if (outcomes === null) return this.#requeue(batch)
      for (const [i, outcome] of outcomes.entries()) {
        if ('error' in outcome) batch[i]!.reject(outcome.error)
        else batch[i]!.resolve(outcome.value)
      }
    } catch (error) {
      for (const { reject } of batch.length > 0 ? batch : this.#queue.splice(0)) reject(error)
    } finally {
      this.#backing.rest()
    }
  }

  /** Another process committed first. The work runs again on the new state, after the lock has been acquired again. */
  #requeue(batch: readonly PendingWrite[]): void {
    const retried = batch.filter((write) => ++write.attempts < MAX_ATTEMPTS)
    for (const { attempts, reject } of batch) if (attempts >= MAX_ATTEMPTS) reject(tooManyConflictsError())
    this.#queue.unshift(...retried)
  }

  /** Moves waiting writes into `batch`, runs them and commits. Null if another process committed first. */
  async #tryBatch(batch: PendingWrite[]): Promise<Outcome[] | null> {
    const { connection } = this.#backing
    const statements = new Set<string>()
    this.#notifier?.start()
    connection.runControl('begin')
    try {
      const outcomes = await this.#runBatch(batch, statements)
      if (statements.size === 0) {
        this.#rollBack()
        return outcomes
      }
      connection.runControl('commit')
      const continues = batch.every((write) => write.continues)
      const names = new Set([...statements].flatMap((sql) => connection.inspect(sql).names))
      const outcome = await this.#backing.commit(names, continues)
      if (outcome === 'overtaken') {
        this.#derived.clear()
        return null
      }
      this.#derived.continueAt(this.#backing.loadedVersion())
      if (outcome === 'committed') await this.#notifier?.notify(this.#tx, continues)
      return outcomes
    } catch (error) {
      this.#derived.clear()
      this.#rollBack()
      throw error
    } finally {
      this.#notifier?.stop()
    }
  }

  async #runBatch(batch: PendingWrite[], statements: Set<string>): Promise<Outcome[]> {
    const until = performance.now() + MAX_BATCH_MS
    const outcomes: Outcome[] = []
    while (batch.length < MAX_BATCH_SIZE) {
      const next = batch.length === 0 || performance.now() < until ? this.#queue.shift() : undefined
      if (next === undefined) break
      batch.push(next)
      outcomes.push(await this.#runOne(next, statements))
    }
    return outcomes
  }

  async #runOne({ work }: PendingWrite, statements: Set<string>): Promise<Outcome> {
    const { connection } = this.#backing
    const changes = new Set<string>()
    const isFirst = statements.size === 0
    if (!isFirst) connection.runControl('savepoint one')
    this.#changes = changes
    try {
      const value = await work(this.#tx)
      if (!isFirst) connection.runControl('release one')
      for (const sql of changes) statements.add(sql)
      return { value }
    } catch (error) {
      if (changes.size > 0) this.#derived.clear()
      connection.runControl(isFirst ? 'rollback' : 'rollback to one')
      connection.runControl(isFirst ? 'begin' : 'release one')
      return { error }
    } finally {
      this.#changes = null
    }
  }

  #run<Row>(sql: string, parameters: readonly unknown[], { keepsDerived = false }: { keepsDerived?: boolean } = {}) {
    const { connection } = this.#backing
    const { kind, names } = connection.inspect(sql)
    if (kind !== 'read') {
      if (this.#changes === null) throw new Error(`only a write transaction may change data: ${sql}`)
      this.#changes.add(sql)
      if (kind === 'schema') this.#derived.clear()
      else if (!keepsDerived) this.#derived.forget(names)
    }
    return connection.run<Row>(sql, parameters)
  }

  /** Ends the transaction, if it has not ended. */
  #rollBack(): void {
    try {
      const { connection } = this.#backing
      if (connection.isInTransaction) connection.runControl('rollback')
    } catch {
      this.#backing.unload() // a page could not be read, or the connection is closed
    }
  }
}

/** The derived values of a table are cleared when there are so many. */
const MAX_DERIVED = 10_000

/** What is derived from the rows as the open transaction sees them, by table. */
class DerivedValues {
  readonly #tables = new Map<string, Map<string, unknown>>()
  /** The state that the values belong to; null if that is unknown. */
  #version: object | null = null

  /** Called when a transaction begins at this version. Other processes may have committed since the one before. */
  startAt(version: object | null): void {
    if (version === null || version !== this.#version) this.clear()
    this.#version = version
  }

  /** Called after a commit of this process, whose changes the values include. */
  continueAt(version: object | null): void {
    this.#version = version
  }

  of(table: string): Map<string, unknown> {
    const known = this.#tables.get(table)
    if (known !== undefined && known.size < MAX_DERIVED) return known
    const values = new Map<string, unknown>()
    this.#tables.set(table, values)
    return values
  }

  forget(tables: readonly string[]): void {
    for (const table of tables) this.#tables.delete(table)
  }

  clear(): void {
    this.#tables.clear()
    this.#version = null
  }
}

/** Collects the rows that each commit changes, and passes them to the observer. Its errors never fail a commit. */
class CommitNotifier {
  readonly #observer: CommitObserver
  readonly #backing: BackingStore
  #changed = new Map<string, Set<number>>()
  #before: LogPosition | null = null

  constructor(observer: CommitObserver, backing: BackingStore) {
    this.#observer = observer
    this.#backing = backing
  }

  /** Starts to record changed rows, also those of work that is rolled back. */
  start(): void {
    this.#changed = new Map(this.#observer.tables.map((table) => [table, new Set()]))
    this.#before = this.#position()
    this.#backing.connection.observeRows((table, key) => this.#changed.get(table)?.add(key))
  }

  /** Called when the recorded changes are on disk. */
  async notify(tx: ReadTx, continues: boolean): Promise<void> {
    const commit = { changed: this.#changed, before: this.#before, after: this.#position(), continues, tx }
    await this.#observer.committed(commit).catch(() => {})
  }

  async settle(): Promise<void> {
    await this.#observer.settle().catch(() => {})
  }

  async close(): Promise<void> {
    await this.#observer.close().catch(() => {})
  }

  /** Stops recording, so that commits of other processes are not recorded. */
  stop(): void {
    try {
      this.#backing.connection.observeRows(null)
    } catch {
      // the connection is closed
    }
  }

  /** Null also if the files cannot be read now: the observer then reads the log later. */
  #position(): LogPosition | null {
    try {
      return this.#backing.position()
    } catch {
      return null
    }
  }
}
