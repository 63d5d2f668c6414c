import { StudioError } from '../../kernel'

/** What the guards of the tables say, on either engine. */
const GUARDS = /the door is taken at that time|the facility is full at that time|appointment_door_free/

/**
 * The code has found the place free within the transaction that a guard refused: something has put an appointment there that
 * does not go by the code. Null for any other error.
 */
export function toConstraintError(error: unknown): StudioError | null {
  if (!(error instanceof Error) || !GUARDS.test(error.message)) return null
  return new StudioError(
    'database_busy',
    'Another program has taken that place at the same time; nothing was changed.',
    {
      hint: 'Try again.',
      retryAfterSeconds: 1,
      cause: error,
    },
  )
}
