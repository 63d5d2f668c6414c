import { Connection } from './connection'
import type { Commit } from './statements'

/** Where the state that is held in memory comes from, and what makes it last. */
export interface Backing {
  readonly connection: Connection
  readonly turn: Turn
  /** Whether the memory is fit for a transaction as it is. */
  isUpToDate(): boolean
  /** Brings the memory to the state that counts now. */
  catchUp(purpose: { toWrite: boolean }): Promise<void>
  /** Makes a commit last. False, and an error, mean that it must be taken back in memory. */
  commit(commit: Commit): Promise<boolean>
  /** Drops the memory, which has become of no use. */
  forget(): void
  close(): Promise<void>
}

/** The right to write, which processes have one after the other. */
export interface Turn {
  take(): Promise<void>
  readonly wanted: boolean
  release(): void
  /** Lets go of it for good. */
  end(): void
}

/** Of a database that ends with the process. */
export async function memoryBacking(): Promise<Backing> {
  const connection = await Connection.open(null)
  return {
    connection,
    turn: { take: async () => {}, wanted: false, release() {}, end() {} },
    isUpToDate: () => true,
    catchUp: async () => {},
    commit: async () => true,
    forget() {},
    close: async () => connection.close(),
  }
}
