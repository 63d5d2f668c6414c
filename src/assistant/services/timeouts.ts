import { hint, StudioError, suggest } from '../../kernel'
import type { ServerPart } from '../adapters/model-server'

export interface ModelLimits {
  connectMs: number
  /** For a request that needs no model, such as the list of models. */
  requestMs: number
  /** From the request to the first activity of the model, which may have to be loaded and to process a long prompt first. */
  loadMs: number
  /** Between two activities after that. */
  idleMs: number
  /** For a complete answer. */
  answerMs: number
  /** Maximum number of characters of an answer. */
  answerCharacters: number
  /** Maximum number of bytes of the response with one answer. */
  wireBytes: number
  /** Maximum number of characters of a line of the response. */
  lineCharacters: number
}

export const defaultModelLimits: ModelLimits = {
  connectMs: 5_000,
  requestMs: 10_000,
  loadMs: 10 * 60_000,
  idleMs: 60_000,
  answerMs: 30 * 60_000,
  answerCharacters: 256 * 1024,
  wireBytes: 64 * 1024 * 1024,
  lineCharacters: 1024 * 1024,
}

/** The time limit of an HTTP call that waits for a complete answer. */
export const MAX_ANSWER_MS = defaultModelLimits.loadMs + defaultModelLimits.answerMs

/**
 * Passes the parts on under three time limits: until the first activity of the model, between two activities, and for the whole answer. Only
 * time spent waiting for the server counts, not the time of the consumer. When a limit is exceeded, `abort` ends the request.
 */
export async function* withTimeouts(
  parts: AsyncIterable<ServerPart>,
  limits: ModelLimits,
  abort: (reason: StudioError) => void,
): AsyncGenerator<ServerPart, void, undefined> {
  const source = parts[Symbol.asyncIterator]()
  let waitedMs = 0
  let hasBegun = false
  try {
    for (;;) {
      const limitMs = Math.min(hasBegun ? limits.idleMs : limits.loadMs, limits.answerMs - waitedMs)
      const startedAt = performance.now()
      const timer = setTimeout(() => abort(createTimeoutError(hasBegun, limitMs)), Math.max(0, limitMs))
      const next = await source.next().finally(() => clearTimeout(timer))
      waitedMs += performance.now() - startedAt
      if (next.done) return
      hasBegun = true
      yield next.value
    }
  } finally {
    await source.return?.()
  }
}

function createTimeoutError(begun: boolean, limitMs: number): StudioError {
  const seconds = Math.max(1, Math.round(limitMs / 1000))
  return begun
    ? new StudioError('llm_timeout', `The language model sent nothing for ${seconds} s.`, {
        hint: hint`Try again, or use a smaller model: ${suggest('llm.models')}`,
      })
    : new StudioError('llm_timeout', `The language model was not ready after ${seconds} s.`, {
        hint: hint`It may be too large for this machine. List the installed models: ${suggest('llm.models')}`,
      })
}
