import type { ReadTx } from './database'

/** A position in the commit log of a database in files. Derived data stores it to detect later commits. */
export interface LogPosition {
  /** The checksum in the marks of the snapshot that the log continues. */
  snapshot: number
  /** The next commit: its segment, its index in the segment, the checksum of the record before it, its offset. */
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
  /** Called when no other commit follows one that `continues`, and before the database is closed. */
  settle(): Promise<void>
  /**
   * Runs `move`, which moves the log to another place and changes no rows. `position` returns the position of the same rows before and
   * after it, whatever has been written meanwhile.
   */
  relocating(position: () => LogPosition | null, move: () => Promise<void>): Promise<void>
  /** Called when the database is closed. No file stays open: Windows would neither replace nor remove it. */
  close(): Promise<void>
}

export interface ObservedCommit {
  /**
   * By table, the integer keys of the rows that were inserted, updated or deleted; some may be unchanged. Does not include rows that
   * `insert or replace` or an unconditional `delete` removes.
   */
  changed: ReadonlyMap<string, ReadonlySet<number>>
  /** Null if the database has no log. */
  before: LogPosition | null
  after: LogPosition | null
  /** Whether its writer will commit more: what is derived may wait for the next commit, or for `settle`. */
  continues: boolean
  /** Reads the state after the commit. */
  tx: ReadTx
}

/** For engines only: registers the source of `getLogPosition`. */
export function registerLogPosition(tx: ReadTx, position: () => LogPosition | null): void {
  positions.set(tx, position)
}

const positions = new WeakMap<ReadTx, () => LogPosition | null>()

/** The position of the state that a transaction reads; null if the database has no log. */
export function getLogPosition(tx: ReadTx): LogPosition | null {
  return positions.get(tx)?.() ?? null
}
