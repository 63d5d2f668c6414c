import * as z from 'zod'
import { Features } from '../../booking/rules/load-fields'
import { MAX_APPOINTMENT_MINUTES } from '../../facilities/rules/facility'
import { Text } from '../../rules/text'

/** What the endpoint of a facility answers about a booking. */
export const CheckAnswer = z.object({
  decision: z.enum(['accept', 'refuse']),
  /** Why it is refused, for the person who books. */
  message: Text.max(1000).nullish(),
  durationMinutes: z.int().min(1).max(MAX_APPOINTMENT_MINUTES).nullish(),
  requirements: Features.nullish(),
})
export type CheckAnswer = z.output<typeof CheckAnswer>

/** The answer in a response, or why it is none. */
export function readCheckAnswer({ status, body }: { status: number; body: string }): CheckAnswer | { failure: string } {
  if (status < 200 || status > 299) return { failure: `the endpoint answered with status ${status}` }
  try {
    const parsed = CheckAnswer.safeParse(JSON.parse(body))
    if (parsed.success) return parsed.data
    const { path, message } = parsed.error.issues[0]!
    return { failure: `the answer is invalid: ${[path.join('.'), message].filter(Boolean).join(': ')}` }
  } catch {
    return { failure: 'the answer is not JSON' }
  }
}
