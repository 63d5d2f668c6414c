import { inputError } from '../../../kernel'
import type { Facility, ReasonedChange } from './facility'

/** The reason as the facility lists it. Any text is one if the facility has no list. Throws `invalid` for another one, or for none if one is required. */
export function resolveReason(
  { reasons }: Pick<Facility, 'reasons'>,
  change: ReasonedChange,
  given: string | null | undefined,
): string | null {
  const { choices = null, required = false } = reasons.find((entry) => entry.change === change) ?? {}
  if (given == null || given === '') {
    if (required) throw inputError([{ path: 'reason', message: `is required: one of ${choices?.join(', ')}` }])
    return null
  }
  const known = choices === null ? given : choices.find((choice) => choice.toLowerCase() === given.toLowerCase())
  if (known === undefined) throw inputError([{ path: 'reason', message: `must be one of ${choices!.join(', ')}` }])
  return known
}
