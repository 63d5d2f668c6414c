import { createHash, timingSafeEqual } from 'node:crypto'
import { familyOf, StudioError } from '../../kernel'

/** The time of last use is kept to the minute, so that a busy credential does not make a write of every call. */
export const LAST_USED_PRECISION_MS = 60_000

/** What is kept of a credential: SHA-256 of the whole of it, hexadecimal. It is chance alone, so it needs no salt and no stretching. */
export function hashCredential(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** In a time that does not depend on where the two differ. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Bookkeeping alone: a database that can only be read still lets its users read. */
export async function recordUse(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (error instanceof StudioError && familyOf(error.code) === 'unavailable') return
    throw error
  }
}
