import type { InstalledModel, Message } from '../services/model'

/** What a protocol must be able to do: the rest of the port is built upon it, the same for all. */
export interface ModelServer {
  readonly host: string
  /** Null where the server has no list of its models. */
  models(signal: AbortSignal): Promise<InstalledModel[] | null>
  /** True where the server may answer for a model that its list does not have. */
  readonly servesUnlisted: boolean
  /** The most tokens that the model's context can have; null where the server does not tell. */
  mostContext(model: InstalledModel, signal: AbortSignal): Promise<number | null>
  /** True where a call can say which context it wants. */
  readonly takesContext: boolean
  load(model: string, contextTokens: number | null, signal: AbortSignal): Promise<void>
  /** Every sign of life as it comes, and `end` once the server says that the answer is over. */
  answer(ask: ServerRequest, signal: AbortSignal): AsyncIterable<ServerPart>
  close(): Promise<void>
}

export interface ServerRequest {
  model: string
  messages: readonly Message[]
  contextTokens: number | null
  form: Record<string, unknown> | null
}

export type ServerPart =
  /** The model is at work, though not on the answer. */
  | { kind: 'sign' }
  | { kind: 'text'; text: string }
  | { kind: 'end'; complete: boolean; promptTokens: number | null; responseTokens: number | null }
