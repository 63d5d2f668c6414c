import { hint, StudioError, suggest } from '../../kernel'
import type { ServerPart } from '../adapters/model-server'
import { cleanText, getPendingText, INITIAL_THINKING_STATE, removeThinking } from '../rules/clean-answer'

type AnswerPart = Exclude<ServerPart, { kind: 'activity' }>

/** Yields the answer without thinking and control characters, in complete characters. Throws `llm_answer` after `maxCharacters`. */
export async function* filterAnswerText(
  parts: AsyncIterable<ServerPart>,
  maxCharacters: number,
): AsyncGenerator<AnswerPart, void, undefined> {
  let state = INITIAL_THINKING_STATE
  let characters = 0
  /** The first half of a surrogate pair. The second half arrives with the next part. */
  let pendingHalf = ''
  for await (const part of parts) {
    if (part.kind === 'activity') continue
    if (part.kind === 'end') {
      if (getPendingText(state) !== '') yield { kind: 'text', text: getPendingText(state) }
      yield part
      return
    }
    const text = pendingHalf + part.text
    pendingHalf = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    const result = removeThinking(state, cleanText(text.slice(0, text.length - pendingHalf.length)))
    state = result.state
    characters += result.answer.length
    if (characters > maxCharacters) throw createAnswerTooLongError(maxCharacters)
    if (result.answer !== '') yield { kind: 'text', text: result.answer }
  }
}

function createAnswerTooLongError(maxCharacters: number): StudioError {
  return new StudioError('llm_answer', `The language model's answer is longer than ${maxCharacters} characters.`, {
    hint: hint`Request a shorter answer, or use another model: ${suggest('llm.models')}`,
  })
}
