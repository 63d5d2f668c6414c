import { hint, StudioError, suggest } from '../../kernel'
import type { ServerPart } from '../adapters/server'
import { cleanText, INITIAL_THINKING_STATE, pendingText, removeThinking } from '../rules/clean-answer'

type Answered = Exclude<ServerPart, { kind: 'sign' }>

/** The answer itself out of what a server sends: whole characters without thinking and control characters, never more than `mostCharacters`. */
export async function* filterAnswerText(
  parts: AsyncIterable<ServerPart>,
  mostCharacters: number,
): AsyncGenerator<Answered, void, undefined> {
  let state = INITIAL_THINKING_STATE
  let characters = 0
  /** The first half of a character, whose second comes with the next part. */
  let half = ''
  for await (const part of parts) {
    if (part.kind === 'sign') continue
    if (part.kind === 'end') {
      if (pendingText(state) !== '') yield { kind: 'text', text: pendingText(state) }
      yield part
      return
    }
    const text = half + part.text
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    const left = removeThinking(state, cleanText(text.slice(0, text.length - half.length)))
    state = left.state
    characters += left.answer.length
    if (characters > mostCharacters) throw answerTooLong(mostCharacters)
    if (left.answer !== '') yield { kind: 'text', text: left.answer }
  }
}

function answerTooLong(mostCharacters: number): StudioError {
  return new StudioError('llm_answer', `The language model's answer is longer than ${mostCharacters} characters.`, {
    hint: hint`Ask for less, or another model: ${suggest('llm.models')}`,
  })
}
