import { type Hint, StudioError } from '../../kernel'
import type { Rejection } from '../../tracker'
import { createRejectionError } from './create/create-rejection-error'

/** What a tracker says about a change that is not a change of fields. */
type Outcome =
  | { status: 'conflict'; message: string }
  | ({ status: 'rejected' } & Rejection)
  | { status: 'unknown'; message: string }

/**
 * The error of a change that was not made, or may not have been.
 */
export function createOutcomeError(outcome: Outcome, { rejected, unknown, look }: OutcomeTexts): StudioError {
  const { message } = outcome
  if (outcome.status === 'rejected') return createRejectionError(rejected, outcome, look)
  if (outcome.status === 'conflict') return new StudioError('conflict', `${rejected} ${message}`, { hint: look })
  return new StudioError('tracker_timeout', `${unknown} ${message}`, { hint: look })
}

interface OutcomeTexts {
  /** `The tracker did not delete the comment.` */
  rejected: string
  /** `It is not known whether the comment was deleted.` */
  unknown: string
  /** How to find out what became of it. */
  look: Hint
}
