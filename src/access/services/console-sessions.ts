import type { Actor, Context, Scope } from '../../kernel'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time'
import type { Database, ReadTx, WriteTx } from '../../storage'
import type { SessionTable, TenantKeyTable } from '../migrations'
import { deleteSessionsExpiredBefore, findSessionsByPrefix, insertSession, updateSession } from '../queries/sessions'
import { findKey } from '../queries/tenants'
import { findToken } from '../queries/tokens'
import { parseScopes } from '../schemas'
import { parsePublicPrefix } from './credential'
import { issueCredential } from './issue-credential'
import { findByHash, recordUse, toKeyActor, type User } from './verify-credential'

export const SESSION_KIND = 'studio_ses_'

const SESSION_MS = 7 * DAY_MS
/** A browser that is not used for so long must sign in again. */
const IDLE_MS = 12 * HOUR_MS
const LINK_MS = 10 * MINUTE_MS

/** What a signed-in browser may do: as its user, and as the tenant of its dock key. */
export interface Session {
  id: string
  user: User | null
  key: Extract<Actor, { kind: 'tenant-key' }> | null
}

/** What a session is opened with: verified credentials, and where the browser is. */
export interface SessionRequest {
  user: User | null
  key: Session['key']
  /** When its credential expires, if that is not stored. */
  expiresAt?: number | null
  address: string
  userAgent: string | null
  /** The secret of the session that the browser had. Its credentials stay, and it ends. */
  replaces: string | null
}

type Issuing = Pick<Context, 'ids' | 'clock'> & { db: Database }

/** Opens a session with a new secret, so that a secret from before the sign-in is worth nothing after it. */
export async function openSession(ctx: Issuing, request: SessionRequest): Promise<string> {
  const { address, userAgent, replaces } = request
  return ctx.db.write(async (tx) => {
    const now = ctx.clock.now()
    const previous = replaces === null ? null : await findSession(tx, replaces, now)
    const user = request.user ?? previous?.session.user ?? null
    const key = request.key ?? previous?.session.key ?? null
    const token = user?.tokenId ? await findToken(tx, user.tokenId) : null
    if (previous) await updateSession(tx, previous.row.id, { revoked_at: now })
    await deleteSessionsExpiredBefore(tx, now - SESSION_MS)
    const { secret } = await insert(ctx, tx, {
      is_link: 0,
      name: user?.name ?? null,
      scopes: user?.scopes.join(' ') ?? null,
      token_id: user?.tokenId ?? null,
      key_id: key === null || key.keyId === LINK_KEY ? null : key.keyId,
      tenant_id: key?.tenantId ?? null,
      address,
      user_agent: userAgent?.slice(0, 300) ?? null,
      expires_at: Math.min(
        now + SESSION_MS,
        token?.expires_at ?? request.expiresAt ?? Number.POSITIVE_INFINITY,
        request.user === null && previous ? previous.row.expires_at : Number.POSITIVE_INFINITY,
      ),
    })
    return secret
  })
}

/** Creates a link that signs one browser in, within ten minutes. */
export function createLink(
  ctx: Issuing,
  tx: WriteTx,
  { name, scopes, tenantId }: { name: string; scopes: readonly Scope[]; tenantId: string },
): Promise<{ id: string; secret: string }> {
  return insert(ctx, tx, {
    is_link: 1,
    name,
    scopes: scopes.join(' '),
    token_id: null,
    key_id: null,
    tenant_id: tenantId,
    address: null,
    user_agent: null,
    expires_at: ctx.clock.now() + LINK_MS,
  })
}

async function insert(
  ctx: Issuing,
  tx: WriteTx,
  fields: Omit<SessionTable, 'id' | 'prefix' | 'hash' | 'created_at' | 'last_used_at' | 'revoked_at'>,
): Promise<{ id: string; secret: string }> {
  const { text, row } = issueCredential(ctx, SESSION_KIND)
  await insertSession(tx, { ...row, ...fields, last_used_at: fields.is_link ? null : row.created_at })
  return { id: row.id, secret: text }
}

/** Exchanges the secret of a link for that of a session; null if it was used before, has expired or is unknown. */
export async function redeemSessionLink(
  ctx: Issuing,
  link: string,
  request: Pick<SessionRequest, 'address' | 'userAgent' | 'replaces'>,
): Promise<string | null> {
  const isRedeemed = await ctx.db.write(async (tx) => {
    const row = await findLive(tx, link, ctx.clock.now())
    if (!row?.is_link) return null
    await updateSession(tx, row.id, { revoked_at: ctx.clock.now() })
    return toSession(row, null)
  })
  return isRedeemed && openSession(ctx, { ...request, user: isRedeemed.user, key: isRedeemed.key })
}

/** The session with that secret; null if it ended, or if its token or dock key is not valid any more. */
export async function verifySession(db: Database, secret: string, now: number): Promise<Session | null> {
  const found = await db.read((tx) => findSession(tx, secret, now))
  if (!found) return null
  await recordUse(db, found.row, now, updateSession)
  return found.session
}

export async function endSession(db: Database, id: string, now: number): Promise<void> {
  await db.write((tx) => updateSession(tx, id, { revoked_at: now }))
}

async function findSession(
  tx: ReadTx,
  secret: string,
  now: number,
): Promise<{ row: SessionTable; session: Session } | null> {
  const row = await findLive(tx, secret, now)
  if (!row || row.is_link || now - (row.last_used_at ?? row.created_at) > IDLE_MS) return null
  const key = row.key_id === null ? null : await findKey(tx, row.key_id)
  if (row.key_id !== null && key?.revoked_at !== null) return null
  if (row.token_id === null) return { row, session: toSession(row, key) }
  const token = await findToken(tx, row.token_id)
  const isValid = token && token.revoked_at === null && (token.expires_at === null || token.expires_at > now)
  return isValid ? { row, session: toSession({ ...row, name: token.name, scopes: token.scopes }, key) } : null
}

async function findLive(tx: ReadTx, secret: string, now: number): Promise<SessionTable | null> {
  const prefix = parsePublicPrefix(SESSION_KIND, secret)
  const row = prefix && findByHash(await findSessionsByPrefix(tx, prefix), secret)
  return row && row.revoked_at === null && row.expires_at > now ? row : null
}

/** In place of a dock key, for a session that a link opened: what the history of an appointment names. */
const LINK_KEY = 'console'

function toSession({ id, name, scopes, token_id, tenant_id }: SessionTable, key: TenantKeyTable | null): Session {
  return {
    id,
    user:
      name === null || scopes === null
        ? null
        : { kind: 'user', name, scopes: parseScopes({ scopes }), tokenId: token_id },
    key: key ? toKeyActor(key) : tenant_id === null ? null : toLinkActor(tenant_id, scopes),
  }
}

function toLinkActor(tenantId: string, scopes: string | null): NonNullable<Session['key']> {
  const granted = scopes === null ? [] : parseScopes({ scopes })
  const scope = (['admin', 'write'] as const).find((wide) => granted.includes(wide)) ?? 'read'
  return { kind: 'tenant-key', tenantId, keyId: LINK_KEY, scope, carrier: null }
}
