import { hint, StudioError, suggest } from '../../kernel'
import { toOneLine } from '../../kernel/text/one-line'
import { removeUnopenedThinking } from '../rules/answers/answer-filter'
import type { Cutoff } from '../rules/answers/cutoff'

const MAX_REFUSAL_LENGTH = 1_000

/** `refusal` is what the model says in the place of an answer. */
export function createRefusedError(refusal: string): StudioError {
  return new StudioError(
    'llm_refused',
    `The language model refused to answer: ${toOneLine(refusal, MAX_REFUSAL_LENGTH)}`,
    {
      hint: hint`Change the request, or use another model: ${suggest('llm.models')}`,
    },
  )
}

export function createAnswerTooLongError(maxCharacters: number): StudioError {
  return new StudioError('llm_answer', `The language model's answer is longer than ${maxCharacters} characters.`, {
    hint: hint`Request a shorter answer, or use another model: ${suggest('llm.models')}`,
  })
}

/** An answer without text. `cutoff` is null if it was not cut off. */
export function createNoAnswerError({
  hasThought,
  cutoff,
}: {
  hasThought: boolean
  cutoff: Cutoff | null
}): StudioError {
  const what = hasThought
    ? 'The language model wrote only its thinking, and no answer.'
    : 'The language model returned an empty answer.'
  return new StudioError('llm_answer', cutoff === null ? what : `${what} ${cutoff.message}`, {
    hint:
      cutoff === null
        ? hint`Try again, or use another model: ${suggest('llm.models')}`
        : hint`${cutoff.advice} Models: ${suggest('llm.models')}`,
  })
}

/** The complete answer without thinking that had no opening mark. Throws `llm_answer` if nothing else is in it. */
export function finishAnswer(text: string): string {
  const answer = removeUnopenedThinking(text)
  if (answer.trim() === '') throw createNoAnswerError({ hasThought: true, cutoff: null })
  return answer
}
