import type { Database } from '../../storage'
import { findLiveKeysByPrefix, updateKey } from '../queries/tenants'
import { parsePublicPrefix } from '../rules/credential'
import { hashCredential, isSameHash, LAST_USED_PRECISION_MS, recordUse } from './credential-hash'

export const TENANT_KEY_KIND = 'studio_key_'

/** Whom a key stands for; null for one that is malformed, unknown or revoked. `now` is in epoch milliseconds. */
export async function verifyTenantKey(
  db: Database,
  key: string,
  now: number,
): Promise<{ tenantId: string; keyId: string } | null> {
  const prefix = parsePublicPrefix(TENANT_KEY_KIND, key)
  if (prefix === null) return null
  const candidates = await db.read((tx) => findLiveKeysByPrefix(tx, prefix))
  const hash = hashCredential(key)
  const found = candidates.find((candidate) => isSameHash(candidate.hash, hash))
  if (!found) return null
  if (now - (found.last_used_at ?? 0) >= LAST_USED_PRECISION_MS)
    await recordUse(() => db.write((tx) => updateKey(tx, found.id, { last_used_at: now }), { locksRows: true }))
  return { tenantId: found.tenant_id, keyId: found.id }
}
