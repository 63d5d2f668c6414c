import type { ReadTx } from './database'

/** A position in the commit log of a database in files. Derived data stores it to detect later commits. */
export interface LogPosition {
  /** The checksum in the marks of the snapshot from which the log goes on. */
  snapshot: number
  /** Where the next commit belongs: in which segment of the log, as which of its records, behind which, at which byte. */
  segment: number
  index: number
  previous: number
  offset: number
  /** Distinguishes this log from another one of the same length; null if the snapshot contains all commits. */
  last: LastRecord | null
}

/** The position of the last commit, and the checksum of its head, which is unique. */
export interface LastRecord {
  segment: number
  offset: number
  checksum: number
}

/** Maintains data derived from rows. Called in the process that writes. */
export interface CommitObserver {
  /** Rows of these tables are named when they change. */
  tables: readonly string[]
  /** Called when a commit is on disk, before its writers get their results. Errors do not reach the writers and must be handled here. */
  committed(commit: ObservedCommit): Promise<void>
  /**
   * Runs `move`, which moves the log to another place and changes no rows. `position` returns the position of the same rows before and
   * after it, whatever has been written meanwhile.
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

/** For engines only: registers the source of `getLogPosition`. */
export function registerLogPosition(tx: ReadTx, position: () => LogPosition | null): void {
  positions.set(tx, position)
}

const positions = new WeakMap<ReadTx, () => LogPosition | null>()

/** The state that a transaction reads; null where the database has no log. */
export function getLogPosition(tx: ReadTx): LogPosition | null {
  return positions.get(tx)?.() ?? null
}
