import type * as z from 'zod'
import type { Context, ErrorCode } from '../../kernel'
import type { Cutoff } from '../rules/answers/cutoff'
import type { ListedModel, Message } from '../schemas'

export type { Message } from '../schemas'

/**
 * The port to a language model on a server of the user's choice. It hides the protocols of the servers. Its calls throw only StudioErrors
 * (`MODEL_ERRORS` and `interrupted`). When their signal is aborted they end immediately, and the server stops working too. A model's text
 * is untrusted: only control characters are removed from it.
 */
export interface Model {
  /** The server's address, for messages. */
  readonly host: string

  /** The installed models, in the server's order. If the server lists none, the model of the settings. */
  listModels(signal: AbortSignal): Promise<InstalledModel[]>

  /** The model for calls that name none: that of the settings, or else the first that can answer. Null if there is none. */
  selectDefault(installed: readonly InstalledModel[]): InstalledModel | null

  /** The model that would answer under this name, or by default. Throws if there is none. Loads nothing. */
  choose(name: string | null, signal: AbortSignal): Promise<InstalledModel>

  /** Makes a model ready to answer. This can take minutes if it is not in memory yet. */
  load(name: string | null, signal: AbortSignal): Promise<LoadedModel>

  /** Returns the complete answer. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ModelAnswer>

  /** Yields the answer as it arrives: first `start`, then texts, finally `end`. Reads from the server only as fast as the caller consumes. */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ModelPart>

  /** Frees sockets. */
  close(): Promise<void>
}

export interface InstalledModel extends z.infer<typeof ListedModel> {
  /** False for a model that only makes embeddings. */
  canAnswer: boolean
}

export interface LoadedModel {
  model: string
  /** The requested number of tokens for prompt and answer together; null if the server decides. */
  contextTokens: number | null
}

export interface ChatRequest {
  messages: readonly Message[]
  /** Null for the model of the settings, or else the first that is installed. */
  model?: string | null
  /** A JSON schema for the answer. Not every server enforces it. */
  schema?: Record<string, unknown> | null
}

export type ModelPart =
  | ({ kind: 'start'; loaded: boolean | null } & LoadedModel)
  | { kind: 'text'; text: string }
  | ({ kind: 'end' } & ModelEnd)

interface ModelEnd {
  /** False if the answer stopped because it reached the end of the context or the server's limit. */
  complete: boolean
  /** Null for a complete answer. */
  cutoff: Cutoff | null
  /** Null if the server does not report it. */
  promptTokens: number | null
  responseTokens: number | null
  /** A note about the answer for its reader, such as that the server truncated the prompt. */
  notice: string | null
}

export interface ModelAnswer extends LoadedModel, ModelEnd {
  text: string
}

/** What operations that call a model need. */
export interface ModelContext extends Context {
  model(): Promise<Model>
}

/** The errors of a model. */
export const MODEL_ERRORS = [
  'llm_unavailable',
  'llm_timeout',
  'llm_token',
  'llm_answer',
  'llm_refused',
  'llm_model_missing',
  'prompt_too_long',
] as const satisfies readonly ErrorCode[]
