import { hint, StudioError, suggest } from '../../kernel'
import type { ServerPart } from '../adapters/server'
import type { Limits } from './limits'

/**
 * The parts as they come, held to three limits: until the first sign of the model, between two signs, and for them all. Time counts while we
 * wait for the server, not while the reader of the parts is busy. When one is over, `giveUp` ends the request.
 */
export async function* withTimeouts(
  parts: AsyncIterable<ServerPart>,
  limits: Limits,
  giveUp: (reason: StudioError) => void,
): AsyncGenerator<ServerPart, void, undefined> {
  const source = parts[Symbol.asyncIterator]()
  let waitedMs = 0
  let begun = false
  try {
    for (;;) {
      const limitMs = Math.min(begun ? limits.silenceMs : limits.loadMs, limits.answerMs - waitedMs)
      const startedAt = performance.now()
      const timer = setTimeout(() => giveUp(timeoutError(begun, limitMs)), Math.max(0, limitMs))
      const next = await source.next().finally(() => clearTimeout(timer))
      waitedMs += performance.now() - startedAt
      if (next.done) return
      begun = true
      yield next.value
    }
  } finally {
    await source.return?.()
  }
}

function timeoutError(begun: boolean, limitMs: number): StudioError {
  const seconds = Math.max(1, Math.round(limitMs / 1000))
  return begun
    ? new StudioError('llm_timeout', `The language model sent nothing for ${seconds} s.`, {
        hint: hint`Try again, or a smaller model: ${suggest('llm.models')}`,
      })
    : new StudioError('llm_timeout', `The language model was not ready after ${seconds} s.`, {
        hint: hint`It may be too large for this machine. See which others are installed: ${suggest('llm.models')}`,
      })
}
