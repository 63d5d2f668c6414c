import type { Operations } from '../catalog'

export interface OpenOptions {
  /** Replaces the environment variables of the process. */
  env?: Record<string, string | undefined>
  /** The folder in which the project's settings file is searched, and to which paths are relative. */
  cwd?: string
  /** The tenant whose docks are used. */
  tenant?: string
  /** Receives notices for a person, such as that the sandbox is used as the tracker. */
  onNotice?(text: string): void
}

export interface CallOptions {
  /** Ends the call; it then fails with the code `interrupted`. */
  signal?: AbortSignal
  onProgress?(step: { label: string; done?: number; total?: number }): void
}

/** The operations of studio in this process, on the same settings and the same database as the command line. */
export interface StudioLibrary {
  /** The ids that `call` takes. */
  readonly operations: readonly (keyof Operations)[]
  /** Runs one operation as the person who owns this process. Fails with a `StudioError`. */
  call<Id extends keyof Operations>(
    id: Id,
    input?: Operations[Id]['input'],
    options?: CallOptions,
  ): Promise<Operations[Id]['output']>
  /** Runs an operation that streams its answer, part by part. */
  stream<Id extends keyof Operations>(
    id: Id,
    input?: Operations[Id]['input'],
    options?: CallOptions,
  ): AsyncIterable<{ event: string; [field: string]: unknown }>
  /** Closes the database and the connection to the tracker. */
  close(): Promise<void>
}
