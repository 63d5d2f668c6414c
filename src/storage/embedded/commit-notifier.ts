import type { CommitObserver, LogPosition } from '../services/commit-observer'
import type { ReadTx } from '../services/database'
import type { BackingStore } from './backing-store'

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
