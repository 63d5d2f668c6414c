import { StudioError } from './errors'
import { hint, mapHintTexts } from './hint'

/**
 * What is written part by part, each in a transaction of its own, may fail after some of them. What the storage then says of its
 * transaction, that nothing was changed, is not true of all: it is told what was done, and what comes of doing it again.
 */
export function afterParts(error: unknown, { done, again }: { done: string; again: string }): unknown {
  if (!(error instanceof StudioError)) return error
  const first = mapHintTexts(error.hint ?? 'Run it again.', withoutNothingChanged)
  const stop = endsSentence(typeof first === 'string' ? first : first.at(-1)) ? '' : '.'
  return error.copyWith({ message: `${ofThePart(error.message)} ${done}`, hint: hint`${first}${stop} ${again}` })
}

/** A fault of the storage as a sentence that is true where other parts were written. */
export function ofThePart(text: string): string {
  const rest = withoutNothingChanged(text)
  return endsSentence(rest) ? rest : `${rest}.`
}

function withoutNothingChanged(text: string): string {
  return text.replace(/[;:] nothing was changed(?=\.|$)/, '')
}

function endsSentence(part: unknown): boolean {
  return typeof part === 'string' && /[.!?]$/.test(part)
}
