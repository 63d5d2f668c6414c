import { type ErrorDetail, type Hint, StudioError } from '../../../kernel'
import type { Rejection } from '../../../tracker'

/**
 * The error of a change that the tracker did not take. It is `invalid` only if the values are the reason. `advice` is for an item that is gone,
 * `details` for the fields that the tracker names.
 * @param what what was not done, as a sentence
 */
export function createRejectionError(
  what: string,
  { message, code }: { message: string | null; code?: Rejection['code'] },
  advice: Hint | null = null,
  details: readonly ErrorDetail[] = [],
): StudioError {
  const hints: Record<NonNullable<Rejection['code']>, Hint | null> = {
    not_found: advice,
    tracker_forbidden: 'The owner of the token needs the right to do this in the tracker.',
    tracker_answer: 'Try again later: the tracker failed on the request, and nothing was changed.',
  }
  const reason = details.length > 0 ? details.map(({ path, message }) => `${path}: ${message}`).join('; ') : message
  return new StudioError(code ?? 'invalid', `${what} ${reason ?? ''}`.trim(), {
    hint: code ? hints[code] : null,
    details: [...details],
  })
}
