import type { InstalledModel, Message } from '../services/model'

/** Finds the installed model with the name. `llama3.2` and `llama3.2:latest` are the same. */
export function findModel(models: readonly InstalledModel[], name: string): InstalledModel | null {
  const tagged = (text: string) => (text.includes(':') ? text : `${text}:latest`)
  return (
    models.find((model) => model.name === name) ?? models.find((model) => tagged(model.name) === tagged(name)) ?? null
  )
}

export function selectFirstModel(models: readonly InstalledModel[]): InstalledModel | null {
  return models.find((model) => model.canAnswer) ?? null
}

export function createUnlistedModel(name: string): InstalledModel {
  return {
    name,
    sizeBytes: null,
    parameterSize: null,
    quantization: null,
    modifiedAt: null,
    loaded: null,
    contextTokens: null,
    canAnswer: true,
  }
}

/**
 * Only the vocabulary of a model gives the exact number of tokens. The byte-pair vocabularies of current models have 3 to 5 bytes of UTF-8 per
 * token in most languages and in code, so these are the bounds of the estimate.
 */
const MIN_BYTES_PER_TOKEN = 3
const MAX_BYTES_PER_TOKEN = 5
/** Role marks and separators around a message. */
const TOKENS_PER_MESSAGE = 8

interface TokenEstimate {
  min: number
  max: number
}

export function estimateTokens(messages: readonly Pick<Message, 'content'>[]): TokenEstimate {
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  return {
    min: Math.floor(bytes / MAX_BYTES_PER_TOKEN),
    max: Math.ceil(bytes / MIN_BYTES_PER_TOKEN) + TOKENS_PER_MESSAGE * messages.length,
  }
}

/** Reserved for the answer. */
export const ANSWER_TOKENS = 2048
/** The lengths that are requested. There are few, because a server reloads the model for another length. */
export const CONTEXT_STEPS = [8192, 16_384, 32_768, 65_536, 131_072] as const

/**
 * Chooses the smallest step that certainly holds the prompt and the answer, limited by the model's context (null if it is unknown).
 * Returns null if the prompt does not fit even by the lower estimate.
 */
export function chooseContext(prompt: TokenEstimate, most: number | null): number | null {
  const limit = Math.min(most ?? Number.POSITIVE_INFINITY, CONTEXT_STEPS.at(-1)!)
  if (prompt.min >= limit) return null
  const step = CONTEXT_STEPS.find((tokens) => tokens >= prompt.max + ANSWER_TOKENS)
  return Math.min(step ?? limit, limit)
}

/**
 * Whether a server truncated the prompt, by the number of tokens that it reports. A prompt that certainly fits counts as complete however few
 * tokens the server reports, because a server may omit those that it cached in an earlier call.
 */
export function isPromptTruncated(
  prompt: TokenEstimate,
  reported: { promptTokens: number | null; contextTokens: number | null },
): boolean {
  const { promptTokens, contextTokens } = reported
  if (promptTokens === null || contextTokens === null || prompt.max <= contextTokens) return false
  return promptTokens >= contextTokens || promptTokens < prompt.min
}
