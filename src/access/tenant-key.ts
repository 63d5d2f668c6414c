import type { Database } from '../storage'
import { hashOfCredential, isSameHash, LAST_USED_STEP_MS, noteUse } from './kept-credential'
import { liveKeysByPrefix, markKey } from './queries'
import { publicPrefix } from './rules/credential'

export const TENANT_KEY_KIND = 'studio_key_'

/** Whom a key stands for; null for one that is malformed, unknown or revoked. `now` is in epoch milliseconds. */
export async function verifyTenantKey(
  db: Database,
  key: string,
  now: number,
): Promise<{ tenantId: string; keyId: string } | null> {
  const prefix = publicPrefix(TENANT_KEY_KIND, key)
  if (prefix === null) return null
  const candidates = await db.read((tx) => liveKeysByPrefix(tx, prefix))
  const hash = hashOfCredential(key)
  const found = candidates.find((candidate) => isSameHash(candidate.hash, hash))
  if (!found) return null
  if (now - (found.last_used_at ?? 0) >= LAST_USED_STEP_MS)
    await noteUse(() => db.write((tx) => markKey(tx, found.id, { last_used_at: now }), { locksRows: true }))
  return { tenantId: found.tenant_id, keyId: found.id }
}
