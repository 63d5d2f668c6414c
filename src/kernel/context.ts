import type { Actor } from './actor'
import type { CallRecorder } from './call-recorder'
import type { StudioError } from './errors'
import type { Plan } from './plan'
import type { Background } from './work/background'
import type { Budget } from './work/budget'

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
  /** What the call would do; absent if the caller neither asks for it nor has seen it. `settlePlan` compares it with what the caller has seen. */
  plan?: Plan
  /** Another thread for long pure work; absent where there is none. `compute` uses it. */
  background?: Background
  /** What takes the place of other parts in an operation that only reads. */
  forReads?: object
  /** What takes the place of other parts in a dry run. */
  forPreviews?: object
  /** Stores who called what; absent where nothing is recorded. */
  recorder?: CallRecorder
  /** The input with IDs in place of references such as `#101` and `ABC-7`. */
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
