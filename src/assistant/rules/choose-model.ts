import type { InstalledModel, Message } from '../services/model'

/** The installed model of that name. `llama3.2` and `llama3.2:latest` are the same. */
export function findModel(models: readonly InstalledModel[], name: string): InstalledModel | null {
  const tagged = (text: string) => (text.includes(':') ? text : `${text}:latest`)
  return (
    models.find((model) => model.name === name) ?? models.find((model) => tagged(model.name) === tagged(name)) ?? null
  )
}

/** The model that answers where none is named: the first that can. */
export function firstModel(models: readonly InstalledModel[]): InstalledModel | null {
  return models.find((model) => model.answers) ?? null
}

/** A model of which only the name is known. */
export function unlistedModel(name: string): InstalledModel {
  return {
    name,
    sizeBytes: null,
    parameterSize: null,
    quantization: null,
    modifiedAt: null,
    loaded: null,
    contextTokens: null,
    answers: true,
  }
}

/**
 * How many tokens a text is cannot be told without the model's own vocabulary. Byte-pair vocabularies of today's models make 3 to 5 bytes of
 * UTF-8 one token in most languages and in code, so the prompt lies between these two bounds, far outliers aside.
 */
const BYTES_A_TOKEN = { most: 5, fewest: 3 } as const
/** Role marks and separators around a message. */
const TOKENS_A_MESSAGE = 8

export interface TokenEstimate {
  atLeast: number
  atMost: number
}

export function estimateTokens(messages: readonly Pick<Message, 'content'>[]): TokenEstimate {
  const bytes = messages.reduce((sum, { content }) => sum + utf8Bytes(content), 0)
  return {
    atLeast: Math.floor(bytes / BYTES_A_TOKEN.most),
    atMost: Math.ceil(bytes / BYTES_A_TOKEN.fewest) + TOKENS_A_MESSAGE * messages.length,
  }
}

function utf8Bytes(text: string): number {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // A pair of surrogates is four bytes in all.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
  }
  return bytes
}

/** Kept free for the answer. */
export const ANSWER_TOKENS = 2048
/** The least that is asked for. Another length makes a server load the model again, so they are few. */
export const CONTEXT_STEPS = [8192, 16_384, 32_768, 65_536, 131_072] as const

/**
 * The context to ask for: the least step that surely holds prompt and answer, and never more than the model has.
 * `most` is null where the model's limit is not known. Null: even by the lower bound the prompt does not fit.
 */
export function chooseContext(prompt: TokenEstimate, most: number | null): number | null {
  const limit = Math.min(most ?? Number.POSITIVE_INFINITY, CONTEXT_STEPS.at(-1)!)
  if (prompt.atLeast >= limit) return null
  const step = CONTEXT_STEPS.find((tokens) => tokens >= prompt.atMost + ANSWER_TOKENS)
  return Math.min(step ?? limit, limit)
}

/**
 * Whether a server has cut the prompt, by what it says it has read. A prompt that surely fitted is never called cut, however
 * few tokens were counted: a server may leave out those that it knew from the call before.
 */
export function wasCut(
  prompt: TokenEstimate,
  read: { promptTokens: number | null; contextTokens: number | null },
): boolean {
  const { promptTokens, contextTokens } = read
  if (promptTokens === null || contextTokens === null || prompt.atMost <= contextTokens) return false
  return promptTokens >= contextTokens || promptTokens < prompt.atLeast
}
