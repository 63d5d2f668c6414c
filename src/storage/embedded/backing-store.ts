import type { LogPosition } from '../services/commit-observer'
import { Connection } from './connection'
import type { Commit } from './statements'

/** Where the state that is held in memory comes from, and what makes it last. */
export interface BackingStore {
  readonly connection: Connection
  readonly writeLock: WriteLock
  /** Whether a commit is kept as its statements; else it counts only that there was one. */
  readonly recordsStatements: boolean
  /** Whether the memory is fit for a transaction as it is. */
  isUpToDate(): boolean
  /** Brings the memory to the state that counts now. */
  catchUp(purpose: { toWrite: boolean }): Promise<void>
  /** Makes a commit last. False, and an error, mean that it must be taken back in memory. */
  commit(commit: Commit): Promise<boolean>
  /** Another object for each state of the rows; null where the memory is not fit as it is. */
  version(): object | null
  /** The state that the memory has; null where it has no log. */
  position(): LogPosition | null
  /** Drops the memory, which has become of no use. */
  unload(): void
  close(): Promise<void>
}

/** The right to write, which processes have one after the other. */
export interface WriteLock {
  acquire(): Promise<void>
  readonly isContended: boolean
  /** False where another process has overtaken this one. */
  readonly isHeld: boolean
  release(): void
  /** Lets go of it for good. */
  releaseNow(): void
}

/** Of a database that ends with the process: of one in `connection`, or of an empty one. */
export async function createMemoryStore(given?: Connection): Promise<BackingStore> {
  const connection = given ?? (await Connection.open(null))
  let version = {}
  return {
    connection,
    recordsStatements: false,
    writeLock: { acquire: async () => {}, isContended: false, isHeld: true, release() {}, releaseNow() {} },
    isUpToDate: () => true,
    catchUp: async () => {},
    async commit() {
      version = {}
      return true
    },
    version: () => version,
    position: () => null,
    unload() {},
    close: async () => connection.close(),
  }
}
