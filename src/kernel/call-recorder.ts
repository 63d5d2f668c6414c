import type { Access } from './access'
import type { Actor } from './actor'

/** How a caller reaches studio. `background` is work that a service does by itself. */
export const surfaces = ['cli', 'http', 'console', 'portal', 'gate', 'mcp', 'library', 'background'] as const
export type Surface = (typeof surfaces)[number]

/** Where a call comes from. */
export interface CallOrigin {
  surface: Surface
  /** The ID that its answer has over HTTP. */
  requestId: string
  /** The address of the client, or the machine and the process. */
  address: string
}

/** The parts of an operation that a record depends on. */
export interface RecordedOperation {
  id: string
  access: Access
  isPartial?(output: unknown): boolean
}

/** Stores who called what. */
export interface CallRecorder {
  /** Called before an operation runs. */
  begin<Needs extends object>(call: {
    op: RecordedOperation
    time: RecordingTime
    input: Record<string, unknown>
    ctx: Needs
  }): Promise<Recording<Needs>>
  /** Records what a service changes by itself, in the transaction that changes it. */
  note(tx: object, op: RecordedOperation, input: Record<string, unknown>): Promise<void>
  /** Called for a caller who may not call the operation. */
  refused(op: RecordedOperation, actor: Actor, error: unknown): Promise<void>
}

/** The record of a call that is under way. */
export interface Recording<Needs extends object> {
  /** The context to run the operation with: its writes include the record. */
  ctx: Needs
  done(answer: unknown): Promise<void>
  failed(error: unknown): Promise<void>
}

/**
 * When a call is recorded.
 * `in-transaction`: its first write includes the record, so that neither exists without the other; a call that writes nothing has none.
 * `from-start`: before it begins, for what changes something outside of the database or takes several transactions. Its end completes the
 * record.
 * `at-end`: when it has ended, for what replaces the database. `none`: never, for what only stores copies of what it reads.
 */
export type RecordingTime = 'in-transaction' | 'from-start' | 'at-end' | 'none'
