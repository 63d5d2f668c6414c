import { StudioError } from './errors'

/**
 * What is written part by part, each in a transaction of its own, may fail after some of them. What the storage then says of its
 * transaction, that nothing was changed, is not true of all: it is told what was done, and what comes of doing it again.
 */
export function afterParts(error: unknown, { done, again }: { done: string; again: string }): unknown {
  if (!(error instanceof StudioError)) return error
  const { code, message, hint, details, places, retryAfterSeconds } = error
  return new StudioError(code, `${ofThePart(message)} ${done}`, {
    hint: `${ofThePart(hint ?? 'Run it again.')} ${again}`,
    details,
    places,
    retryAfterSeconds: retryAfterSeconds ?? undefined,
    cause: error,
  })
}

/** A fault of the storage as a sentence that is true where other parts were written. */
export function ofThePart(text: string): string {
  return text.replace(/[;:] nothing was changed(?=\.|$)/, '').replace(/(?<![.!?])$/, '.')
}
