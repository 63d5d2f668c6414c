import { createHash, timingSafeEqual } from 'node:crypto'
import { type Actor, type DockCaller, familyOf, StudioError } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import { shareCalls } from '../../kernel/work/share-calls'
import type { Database, WriteTx } from '../../storage'
import { findLiveKeysByPrefix, updateKey } from '../queries/tenants'
import { findTokensByPrefix, updateToken } from '../queries/tokens'
import type { TenantKeyTable } from '../tables'
import { parsePublicPrefix } from './credential'

export const TOKEN_KIND = 'studio_pat_'

export type User = Extract<Actor, { kind: 'user' }>

/** An invalid credential. The reason may be shown to the caller. */
export interface BadCredential {
  kind: 'bad'
  reason: string
}

/** Returns the user of a personal access token. `now` is in epoch milliseconds. */
export async function verifyToken(db: Database, token: string, now: number): Promise<User | BadCredential> {
  const prefix = parsePublicPrefix(TOKEN_KIND, token)
  if (prefix === null) return refuseCredential('The token is mistyped: its checksum does not match.')
  const candidates = await db.read((tx) => findTokensByPrefix(tx, prefix))
  const found = findByHash(candidates, token)
  if (!found) return refuseCredential('The token is unknown.')
  if (found.revoked_at !== null) return refuseCredential('The token was revoked.')
  if (found.expires_at !== null && found.expires_at <= now) return refuseCredential('The token has expired.')
  await recordUse(db, found, now, updateToken)
  return { kind: 'user', name: found.name, role: found.role, tokenId: found.id }
}

export function refuseCredential(reason: string): BadCredential {
  return { kind: 'bad', reason }
}

export const TENANT_KEY_KIND = 'studio_key_'

/** Returns the caller with a key; null if the key is malformed, unknown or revoked. `now` is in epoch milliseconds. */
export async function verifyTenantKey(db: Database, key: string, now: number): Promise<DockCaller | null> {
  const prefix = parsePublicPrefix(TENANT_KEY_KIND, key)
  if (prefix === null) return null
  const candidates = await findCandidates(db, prefix)
  const found = findByHash(candidates, key)
  if (!found) return null
  await recordUse(db, found, now, updateKey)
  return toKeyCaller(found)
}

/** Programs send many calls at once with one key. Calls that arrive while it is read share the next read, so a revoked key is refused at once. */
function findCandidates(db: Database, prefix: string): Promise<TenantKeyTable[]> {
  const reads = sharedReads.get(db) ?? new Map<string, () => Promise<TenantKeyTable[]>>()
  sharedReads.set(db, reads)
  const read = reads.get(prefix) ?? shareCalls(() => db.read((tx) => findLiveKeysByPrefix(tx, prefix)))
  if (reads.size >= MAX_SHARED_READS) reads.clear()
  reads.set(prefix, read)
  return read()
}

const MAX_SHARED_READS = 1_000
const sharedReads = new WeakMap<Database, Map<string, () => Promise<TenantKeyTable[]>>>()

export function toKeyCaller({ tenant_id, id, name, role, carrier_name }: TenantKeyTable): DockCaller {
  return { kind: 'dock', tenantId: tenant_id, role, carrier: carrier_name, credential: { kind: 'key', id, name } }
}

/** SHA-256 of the whole credential, hexadecimal. Credentials are random, so they need neither salt nor key stretching. */
export function hashCredential(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function findByHash<Row extends { hash: string }>(
  candidates: readonly Row[],
  credential: string,
): Row | undefined {
  const hash = Buffer.from(hashCredential(credential))
  return candidates.find((row) => row.hash.length === hash.length && timingSafeEqual(Buffer.from(row.hash), hash))
}

/**
 * Stores the last use to the minute, so that not every request writes to the database. Ignores a database that cannot be written, so that
 * credentials still work on a read-only database.
 */
export async function recordUse(
  db: Database,
  { id, last_used_at }: { id: string; last_used_at: number | null },
  now: number,
  update: (tx: WriteTx, id: string, changes: { last_used_at: number }) => Promise<void>,
): Promise<void> {
  if (now - (last_used_at ?? 0) < MINUTE_MS) return
  try {
    await db.write((tx) => update(tx, id, { last_used_at: now }), { locksRows: true })
  } catch (error) {
    if (error instanceof StudioError && familyOf(error.code) === 'unavailable') return
    throw error
  }
}
