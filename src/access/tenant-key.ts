import { createHash, timingSafeEqual } from 'node:crypto'
import { familyOf, StudioError } from '../kernel'
import type { Database } from '../storage'
import { liveKeysByPrefix, markKey } from './queries'
import { publicPrefix } from './rules/credential'

export const TENANT_KEY_KIND = 'studio_key_'

/** The time of last use is kept to the minute, so that a busy key does not make a write of every call. */
const LAST_USED_STEP_MS = 60_000

/** Whom a key stands for; null for one that is malformed, unknown or revoked. `now` is in epoch milliseconds. */
export async function verifyTenantKey(
  db: Database,
  key: string,
  now: number,
): Promise<{ tenantId: string; keyId: string } | null> {
  const prefix = publicPrefix(TENANT_KEY_KIND, key)
  if (prefix === null) return null
  const candidates = await db.read((tx) => liveKeysByPrefix(tx, prefix))
  const found = candidates.find((candidate) => isSameHash(candidate.hash, hashOfKey(key)))
  if (!found) return null
  if (now - (found.last_used_at ?? 0) >= LAST_USED_STEP_MS) await noteUse(db, found.id, now)
  return { tenantId: found.tenant_id, keyId: found.id }
}

export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Bookkeeping alone: a database that can only be read still lets its tenants read. */
async function noteUse(db: Database, keyId: string, now: number): Promise<void> {
  try {
    await db.write((tx) => markKey(tx, keyId, { last_used_at: now }))
  } catch (error) {
    if (error instanceof StudioError && familyOf(error.code) === 'unavailable') return
    throw error
  }
}
