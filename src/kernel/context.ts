import type { Background } from './background'
import type { Budget } from './budget'
import type { StudioError } from './errors'

/** What every operation gets besides its input. A module that needs more (a database, a tracker) extends it. */
export interface Context {
  clock: Clock
  ids: Ids
  actor: Actor
  log: Log
  /** Aborted when the call must end: Ctrl-C, a closed connection, a timeout. */
  signal: AbortSignal
  /** What the computing of the call may take; absent where no one else waits. `checkpoint` counts against it. */
  budget?: Budget
  /** Another thread for long pure work; absent where there is none. `compute` uses it. */
  background?: Background
  /** What takes the place of other parts in an operation that only reads. */
  forReads?: object
  /** The input with IDs in place of what people call the things that it names. */
  resolveInput?(op: { input: { shape: Readonly<Record<string, unknown>> } }, input: unknown): Promise<unknown>
  /** The error in the words of people: with what they call the things that it names. */
  explainError?(error: StudioError): Promise<StudioError>
  /** Reports progress to a person who waits. Other surfaces ignore it. */
  progress(step: Progress): void
}

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export interface Ids {
  /** A version 4 UUID. */
  uuid(): string
  /** `length` characters out of 0-9A-Za-z, fit for a secret. */
  secret(length: number): string
}

/** Who calls. `terminal` is the person at this machine, who owns the files. */
export type Actor =
  | { kind: 'terminal'; tenant: string }
  | { kind: 'local' }
  | {
      kind: 'tenant-key'
      tenantId: string
      keyId: string
      /** What the key allows at the docks of the tenant; `admin` is their set-up. */
      scope: Scope
      /** The only carrier whose appointments the caller sees and books; null for the tenant itself. */
      carrier: string | null
    }
  /** The owner of a token; `tokenId` is null for a token of another issuer. */
  | { kind: 'user'; name: string; scopes: readonly Scope[]; tokenId: string | null }
  | { kind: 'nobody' }

/** A text that is the same for all calls of one caller. Callers without a credential are one caller. */
export function callerOf(actor: Actor): string {
  if (actor.kind === 'tenant-key') return `key ${actor.keyId}`
  if (actor.kind === 'user') return actor.tokenId === null ? `jwt ${actor.name}` : `token ${actor.tokenId}`
  return actor.kind
}

/** What a token or a dock key allows; `write` allows what `read` does, and `admin` all. */
export type Scope = 'read' | 'write' | 'admin'

export interface Log {
  debug(message: string, facts?: Record<string, unknown>): void
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

export interface Progress {
  /** The current step, as a present participle: `reading work items`. */
  label: string
  done?: number
  total?: number
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
