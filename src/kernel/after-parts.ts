import { StudioError } from './errors'
import { hint, mapHintTexts } from './hint'

/**
 * The error of work that is written in parts, each in its own transaction, and that failed after some of them. The storage says that
 * nothing was changed, which is true of its transaction only: this says what was done, and what another run will do.
 */
export function afterParts(error: unknown, { done, again }: { done: string; again: string }): unknown {
  if (!(error instanceof StudioError)) return error
  const first = mapHintTexts(error.hint ?? 'Run it again.', withoutNothingChanged)
  const stop = endsSentence(typeof first === 'string' ? first : first.at(-1)) ? '' : '.'
  return error.copyWith({ message: `${ofThePart(error.message)} ${done}`, hint: hint`${first}${stop} ${again}` })
}

/** An error message of the storage without its claim that nothing was changed. */
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
