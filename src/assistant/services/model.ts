import type { Context, ErrorCode } from '../../kernel'

/**
 * The port to a language model on a server of the user's choice. Everything that is particular to a server's protocol stays behind it.
 * Its calls throw StudioErrors alone (`MODEL_ERRORS`, and `interrupted`), and end at once when their signal is aborted: the server then
 * stops working too. What a model says is text from elsewhere: control characters are taken out, all else is the caller's care.
 */
export interface Model {
  /** The server's address, as people are told. */
  readonly host: string

  /** The models that are installed, in the server's order; the one of the settings where a server has no list, or an empty one. */
  models(signal: AbortSignal): Promise<InstalledModel[]>

  /** The one of them that answers where a call names none: that of the settings, else the first that can; null where there is none. */
  defaultOf(installed: readonly InstalledModel[]): InstalledModel | null

  /** The model that would answer under this name, or without one; refused where there is none. Nothing is loaded. */
  choose(name: string | null, signal: AbortSignal): Promise<InstalledModel>

  /** Makes a model ready to answer, which can take minutes where it is not in memory yet. */
  load(name: string | null, signal: AbortSignal): Promise<LoadedModel>

  /** The whole answer. */
  chat(request: ChatRequest, signal: AbortSignal): Promise<ModelAnswer>

  /** The answer as it comes: first `start`, then texts, at last `end`. No text is read from the server before the one ahead of it was taken. */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ModelPart>

  /** Frees sockets. */
  close(): Promise<void>
}

export interface InstalledModel {
  name: string
  sizeBytes: number | null
  /** `3.2B` */
  parameterSize: string | null
  /** `Q4_K_M` */
  quantization: string | null
  /** ISO 8601 */
  modifiedAt: string | null
  /** In memory, so that an answer begins at once; null where the server does not say. */
  loaded: boolean | null
  /** Most tokens that prompt and answer may have together; null where the list of models does not say. */
  contextTokens: number | null
  /** False for one that only makes embeddings. */
  answers: boolean
}

export interface LoadedModel {
  model: string
  /** Tokens that prompt and answer may have together, as asked for; null where the server alone decides. */
  contextTokens: number | null
}

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ChatRequest {
  messages: readonly Message[]
  /** Null: the one of the settings, else the first that is installed. */
  model?: string | null
  /** A JSON schema: the server is asked to hold the answer to it, which not every server does. */
  form?: Record<string, unknown> | null
}

export type ModelPart =
  | ({ kind: 'start'; loaded: boolean | null } & LoadedModel)
  | { kind: 'text'; text: string }
  | ({ kind: 'end' } & ModelEnd)

export interface ModelEnd {
  /** False where the answer stopped because the context, or the server's limit, was used up. */
  complete: boolean
  /** Null where the server does not say. */
  promptTokens: number | null
  responseTokens: number | null
  /** What a reader should know of the answer, such as that the server has cut the prompt. */
  notice: string | null
}

export interface ModelAnswer extends LoadedModel, ModelEnd {
  text: string
}

/** What an operation that asks a model is given besides. */
export interface ModelContext extends Context {
  model(): Promise<Model>
}

/** How a call to a model can fail because of the model. */
export const MODEL_ERRORS = [
  'llm_unavailable',
  'llm_timeout',
  'llm_answer',
  'llm_model_missing',
  'prompt_too_long',
] as const satisfies readonly ErrorCode[]
