/** Why an answer ended: `length` at the server's limit or at the end of the context, `context` certainly at the latter. */
export type EndReason = 'complete' | 'length' | 'context' | 'filtered'

/** Why an answer is incomplete, and what its reader can do. */
export interface Cutoff {
  /** Whether prompt and answer together filled the context of the model. Then a second attempt ends the same way. */
  isContextFull: boolean
  message: string
  advice: string
}

interface AnswerFacts {
  reason: EndReason
  /** Null if the server does not report it. */
  promptTokens: number | null
  responseTokens: number | null
  contextTokens: number | null
  /** An estimate of its tokens. */
  prompt: { min: number; max: number }
}

/** Some servers stop a few tokens before the end of the context. */
const FULL = 0.99

/** Null for a complete answer. Servers give the same reason for their limit on answers and for a full context, so the tokens decide. */
export function explainCutoff(facts: AnswerFacts): Cutoff | null {
  const { reason, responseTokens, contextTokens } = facts
  if (reason !== 'length' && reason !== 'context') return null
  const isContextFull = reason === 'context' || fillsContext(facts)
  if (isContextFull === true) {
    const size = contextTokens === null ? '' : ` of ${contextTokens} tokens`
    return {
      isContextFull: true,
      message: `The answer is incomplete: prompt and answer filled the model's context${size}.`,
      advice: 'Shorten the prompt, or use a model with a longer context.',
    }
  }
  if (isContextFull === false) {
    const size = responseTokens === null ? '' : ` of ${responseTokens} tokens`
    return {
      isContextFull: false,
      message: `The answer is incomplete: it reached the server's limit${size} for one answer.`,
      advice: 'Request a shorter answer, or raise that limit of the server.',
    }
  }
  return {
    isContextFull: false,
    message:
      "The answer is incomplete: it reached the server's limit for one answer, or the end of the model's context.",
    advice: 'Request a shorter answer, or use a model with a longer context.',
  }
}

/** Null if the server reports too little. It may omit prompt tokens that it cached in an earlier call. */
function fillsContext({ promptTokens, responseTokens, contextTokens, prompt }: AnswerFacts): boolean | null {
  if (contextTokens === null || responseTokens === null) return null
  const isPromptCounted = promptTokens !== null && promptTokens >= prompt.min
  const atLeast = (isPromptCounted ? promptTokens : prompt.min) + responseTokens
  const atMost = (isPromptCounted ? promptTokens : prompt.max) + responseTokens
  if (atLeast >= contextTokens * FULL) return true
  return atMost < contextTokens * FULL ? false : null
}
