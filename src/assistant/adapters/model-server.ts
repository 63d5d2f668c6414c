import * as z from 'zod'
import type { EndReason } from '../rules/answers/cutoff'
import type { InstalledModel, Message } from '../services/model'

/** What each protocol implements. `openModel` builds the port on top of it. */
export interface ModelServer {
  readonly host: string
  /** Null if the server does not list its models. */
  listModels(signal: AbortSignal): Promise<InstalledModel[] | null>
  /** Whether the server may answer for a model that it does not list. */
  readonly canServeUnlisted: boolean
  /** The maximum number of tokens of the model's context; null if the server does not report it. */
  findMaxContext(model: InstalledModel, signal: AbortSignal): Promise<number | null>
  /** Whether a call can set the length of the context. */
  readonly acceptsContextLength: boolean
  load(model: string, contextTokens: number | null, signal: AbortSignal): Promise<void>
  /** Yields every activity of the model as it arrives, and `end` when the server reports that the answer is complete. */
  answer(request: ServerRequest, signal: AbortSignal): AsyncIterable<ServerPart>
  close(): Promise<void>
}

export interface ServerRequest {
  model: string
  messages: readonly Message[]
  contextTokens: number | null
  /** A JSON schema for the answer. */
  schema: Record<string, unknown> | null
}

export type ServerPart =
  /** The model is working, but not on the answer yet. */
  | { kind: 'activity' }
  /** The model thinks, in a field of its own. */
  | { kind: 'thinking' }
  | { kind: 'text'; text: string }
  /** A piece of the reason why the model does not answer. */
  | { kind: 'refusal'; text: string }
  | { kind: 'end'; reason: EndReason; promptTokens: number | null; responseTokens: number | null }

/** A field that a server may omit or send as null: undefined in both cases. */
export function optional<Shape extends z.ZodType>(shape: Shape) {
  return shape.nullish().transform((value) => value ?? undefined)
}

/** An optional field that is only displayed: undefined if its type is unexpected. */
export function lenient<Shape extends z.ZodType>(shape: Shape) {
  return optional(shape).catch(undefined)
}

/** A count, rounded because some servers send fractions. */
export const Count = z.number().transform(Math.round)
