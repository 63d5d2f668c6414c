import type { Actor } from '../../kernel'
import type { Database } from '../../storage'
import { findTokensByPrefix, updateToken } from '../queries/tokens'
import { parsePublicPrefix } from '../rules/credential'
import { parseScopes } from '../token-schemas'
import { hashCredential, isSameHash, LAST_USED_PRECISION_MS, recordUse } from './credential-hash'

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
  if (prefix === null) return badCredential('The token is misspelled: its checksum does not fit.')
  const candidates = await db.read((tx) => findTokensByPrefix(tx, prefix))
  const hash = hashCredential(token)
  const found = candidates.find((candidate) => isSameHash(candidate.hash, hash))
  if (!found) return badCredential('The token is not known here.')
  if (found.revoked_at !== null) return badCredential('The token was revoked.')
  if (found.expires_at !== null && found.expires_at <= now) return badCredential('The token has expired.')
  if (now - (found.last_used_at ?? 0) >= LAST_USED_PRECISION_MS)
    await recordUse(() => db.write((tx) => updateToken(tx, found.id, { last_used_at: now }), { locksRows: true }))
  return { kind: 'user', name: found.name, scopes: parseScopes(found), tokenId: found.id }
}

export function badCredential(reason: string): BadCredential {
  return { kind: 'bad', reason }
}
