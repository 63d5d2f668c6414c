import { createFilteredError } from '../adapters/model-errors'
import type { ServerPart } from '../adapters/model-server'
import { AnswerFilter } from '../rules/answers/answer-filter'
import { cleanText } from '../rules/clean-answer'
import { createAnswerTooLongError, createRefusedError } from './answer-errors'

type AnswerPart =
  | { kind: 'text'; text: string }
  /** `hasThought`: the model has thought, in the answer or beside it. */
  | (Extract<ServerPart, { kind: 'end' }> & { hasThought: boolean })

/**
 * Yields the answer without thinking and control characters, in complete characters. Throws `llm_answer` after `maxCharacters`, and
 * `llm_refused` at the end of a refusal and of an answer that a content filter has stopped.
 */
export async function* filterAnswerText(
  parts: AsyncIterable<ServerPart>,
  maxCharacters: number,
): AsyncGenerator<AnswerPart, void, undefined> {
  const filter = new AnswerFilter()
  let hasThought = false
  let refusal = ''
  let characters = 0
  /** The first half of a surrogate pair. The second half arrives with the next part. */
  let pendingHalf = ''
  for await (const part of parts) {
    if (part.kind === 'thinking') hasThought = true
    else if (part.kind === 'refusal') refusal = (refusal + part.text).slice(0, maxCharacters)
    else if (part.kind === 'text') {
      const text = pendingHalf + part.text
      pendingHalf = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
      const answer = filter.read(cleanText(text.slice(0, text.length - pendingHalf.length)))
      characters += answer.length
      if (characters > maxCharacters) throw createAnswerTooLongError(maxCharacters)
      if (answer !== '') yield { kind: 'text', text: answer }
    } else if (part.kind === 'end') {
      if (refusal.trim() !== '') throw createRefusedError(refusal)
      if (part.reason === 'filtered') throw createFilteredError()
      const last = filter.end()
      if (last !== '') yield { kind: 'text', text: last }
      yield { ...part, hasThought: hasThought || filter.hasHidden }
      return
    }
  }
}
