import type { Actor } from '../kernel'
import type { Database } from '../storage'
import { hashOfCredential, isSameHash, LAST_USED_STEP_MS, noteUse } from './kept-credential'
import { publicPrefix } from './rules/credential'
import { markToken, tokensByPrefix } from './token-queries'
import { scopesOfRow } from './token-schemas'

export const TOKEN_KIND = 'studio_pat_'

export type User = Extract<Actor, { kind: 'user' }>

/** Why a credential is not good, in words that its holder may read. */
export interface BadCredential {
  kind: 'bad'
  reason: string
}

/** Whom a personal access token stands for. `now` is in epoch milliseconds. */
export async function verifyToken(db: Database, token: string, now: number): Promise<User | BadCredential> {
  const prefix = publicPrefix(TOKEN_KIND, token)
  if (prefix === null) return bad('The token is misspelled: its checksum does not fit.')
  const candidates = await db.read((tx) => tokensByPrefix(tx, prefix))
  const hash = hashOfCredential(token)
  const found = candidates.find((candidate) => isSameHash(candidate.hash, hash))
  if (!found) return bad('The token is not known here.')
  if (found.revoked_at !== null) return bad('The token was revoked.')
  if (found.expires_at !== null && found.expires_at <= now) return bad('The token has expired.')
  if (now - (found.last_used_at ?? 0) >= LAST_USED_STEP_MS)
    await noteUse(() => db.write((tx) => markToken(tx, found.id, { last_used_at: now }), { locksRows: true }))
  return { kind: 'user', name: found.name, scopes: scopesOfRow(found), tokenId: found.id }
}

export function bad(reason: string): BadCredential {
  return { kind: 'bad', reason }
}
