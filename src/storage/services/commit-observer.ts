import type { ReadTx } from './database'

/** How far a database in a file has come, so that whoever keeps something made out of it can tell whether more has happened since. */
export interface LogPosition {
  /** The checksum in the marks of the snapshot from which the log goes on. */
  snapshot: number
  /** Where the next commit belongs: in which segment of the log, as which of its records, behind which, at which byte. */
  segment: number
  index: number
  previous: number
  offset: number
  /** By this a log that only looks like it is told apart; null where the snapshot holds all that there is. */
  last: LastRecord | null
}

/** Where the last commit stands, and the checksum of its head, which no other has. */
export interface LastRecord {
  segment: number
  offset: number
  checksum: number
}

/** Whoever keeps something made out of the rows, and is told by the writer's own process what becomes of them. */
export interface CommitObserver {
  /** Rows of these tables are named when they change. */
  tables: readonly string[]
  /** A commit is on disk; those who made it are told after this. What it throws is not their affair, and must be dealt with here. */
  committed(commit: ObservedCommit): Promise<void>
  /**
   * Runs `move`, which leads the log elsewhere and leaves all rows as they are. `position` says before and after it where the
   * same rows are found, whatever has been written meanwhile.
   */
  relocating(position: () => LogPosition | null, move: () => Promise<void>): Promise<void>
}

export interface ObservedCommit {
  /**
   * By table, the integer keys of the rows that were inserted, updated or deleted; there may be some that are as they were.
   * Those that `insert or replace` does away with are not among them, nor those of `delete` without a condition.
   */
  changed: ReadonlyMap<string, ReadonlySet<number>>
  /** Null where the database has no log. */
  before: LogPosition | null
  after: LogPosition | null
  /** The state right after it. */
  tx: ReadTx
}

/** Only for an engine: what `getLogPosition` will ask. */
export function registerLogPosition(tx: ReadTx, position: () => LogPosition | null): void {
  positions.set(tx, position)
}

const positions = new WeakMap<ReadTx, () => LogPosition | null>()

/** The state that a transaction reads; null where the database has no log. */
export function getLogPosition(tx: ReadTx): LogPosition | null {
  return positions.get(tx)?.() ?? null
}
