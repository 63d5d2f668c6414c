import { HOUR_MS } from '../../../kernel/time'

/** The last attempt is about a day after the first. */
export const MAX_ATTEMPTS = 10

const FIRST_DELAY_MS = 5_000
const LONGEST_DELAY_MS = 6 * HOUR_MS

/**
 * The time until the next attempt, four times longer after each one; null after the last.
 * @param attempts how many have failed, from 1.
 * @param random from 0 to 1: a fifth less or more, so that what failed together does not return together.
 */
export function computeRetryDelay(attempts: number, random: number): number | null {
  if (attempts >= MAX_ATTEMPTS) return null
  const delay = Math.min(FIRST_DELAY_MS * 4 ** (attempts - 1), LONGEST_DELAY_MS)
  return Math.round(delay * (0.8 + 0.4 * random))
}
