import type { LogPosition } from '../log-position'
import { Connection } from './connection'
import type { Commit } from './statements'

/** Where the state that is held in memory comes from, and what makes it last. */
export interface Backing {
  readonly connection: Connection
  readonly turn: Turn
  /** Whether a commit is kept as its statements; else it counts only that there was one. */
  readonly keepsStatements: boolean
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
  forget(): void
  close(): Promise<void>
}

/** The right to write, which processes have one after the other. */
export interface Turn {
  take(): Promise<void>
  readonly wanted: boolean
  /** False where another process has overtaken this one. */
  readonly isOurs: boolean
  release(): void
  /** Lets go of it for good. */
  end(): void
}

/** Of a database that ends with the process: of one in `connection`, or of an empty one. */
export async function memoryBacking(given?: Connection): Promise<Backing> {
  const connection = given ?? (await Connection.open(null))
  let version = {}
  return {
    connection,
    keepsStatements: false,
    turn: { take: async () => {}, wanted: false, isOurs: true, release() {}, end() {} },
    isUpToDate: () => true,
    catchUp: async () => {},
    async commit() {
      version = {}
      return true
    },
    version: () => version,
    position: () => null,
    forget() {},
    close: async () => connection.close(),
  }
}
