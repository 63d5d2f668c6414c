import { createHash, timingSafeEqual } from 'node:crypto'
import { type Actor, familyOf, StudioError } from '../../kernel'
import type { Database } from '../../storage'
import { findLiveKeysByPrefix, updateKey } from '../queries/tenants'
import { findTokensByPrefix, updateToken } from '../queries/tokens'
import { parsePublicPrefix } from '../rules/credential'
import { parseScopes } from '../schemas'

export const TOKEN_KIND = 'studio_pat_'

export type User = Extract<Actor, { kind: 'user' }>

/** Why a credential is not good, in words that its holder may read. */
export interface BadCredential {
  kind: 'bad'
  reason: string
}

/** Whom a personal access token stands for. `now` is in epoch milliseconds. */
export async function verifyToken(db: Database, token: string, now: number): Promise<User | BadCredential> {
  const prefix = parsePublicPrefix(TOKEN_KIND, token)
  if (prefix === null) return refuseCredential('The token is misspelled: its checksum does not fit.')
  const candidates = await db.read((tx) => findTokensByPrefix(tx, prefix))
  const hash = hashCredential(token)
  const found = candidates.find((candidate) => isSameHash(candidate.hash, hash))
  if (!found) return refuseCredential('The token is not known here.')
  if (found.revoked_at !== null) return refuseCredential('The token was revoked.')
  if (found.expires_at !== null && found.expires_at <= now) return refuseCredential('The token has expired.')
  if (now - (found.last_used_at ?? 0) >= LAST_USED_PRECISION_MS)
    await recordUse(() => db.write((tx) => updateToken(tx, found.id, { last_used_at: now }), { locksRows: true }))
  return { kind: 'user', name: found.name, scopes: parseScopes(found), tokenId: found.id }
}

export function refuseCredential(reason: string): BadCredential {
  return { kind: 'bad', reason }
}

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

/** The time of last use is stored to the minute, so that a busy credential does not make a write of every call. */
export const LAST_USED_PRECISION_MS = 60_000

/** The stored form of a credential: SHA-256 of the whole of it, hexadecimal. It is chance alone, so it needs no salt and no stretching. */
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
