import type { Context, DockCaller, DockRole, Role } from '../../kernel'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/time'
import type { Database, ReadTx, WriteTx } from '../../storage'
import { deleteSessionsExpiredBefore, findSessionsByPrefix, insertSession, updateSession } from '../queries/sessions'
import { listMemberships, type MembershipRow } from '../queries/staff'
import { findKey } from '../queries/tenants'
import { findToken } from '../queries/tokens'
import type { SessionTable, TokenTable } from '../tables'
import { parsePublicPrefix } from './credential'
import { issueCredential } from './issue-credential'
import { findByHash, recordUse, toKeyCaller, type User } from './verify-credential'

export const SESSION_KIND = 'studio_ses_'

const SESSION_MS = 7 * DAY_MS
/** A browser that is not used for so long must sign in again. */
const IDLE_MS = 12 * HOUR_MS
/** A screen that was off for so long must be signed in again. It is used every few seconds while it is on. */
const SCREEN_MS = 30 * DAY_MS
const LINK_MS = 10 * MINUTE_MS
/** A mail may take some minutes. */
const MAILED_LINK_MS = 15 * MINUTE_MS

/** What a signed-in browser may do: with stories as its user, with docks as its dock caller. Each has its own rights alone. */
export interface Session {
  id: string
  user: User | null
  dock: DockCaller | null
  /** The tenants that the user may act for at the docks, as a member of their staff. */
  memberships: readonly Membership[]
  /** For a person who signed in with a provider: what to ask it with. */
  provider: ProviderState | null
  /** Whether it is a screen, whose session is renewed while it is used. */
  isScreen: boolean
}

export interface Membership {
  id: string
  tenantId: string
  /** The name of the tenant. */
  tenant: string
}

/** The address that a user has proven to have, and when. */
export interface VerifiedEmail {
  email: string
  at: number
}

/** What a session knows of the provider. */
export interface ProviderState {
  subject: string
  /** The ID of the session at the provider. */
  session: string | null
  /** The provider's tokens, sealed. */
  tokens: string
  checkedAt: number
  confirmedAt: number
  /** The address that it reported as verified. */
  email: string | null
}

/**
 * A verified credential that opens a session. `expiresAt` is when a user ends whose expiry is not stored, `email` the address of a person
 * who got a link by mail.
 */
export type SessionCredential =
  | {
      user: User
      expiresAt: number | null
      provider?: Omit<ProviderState, 'email'>
      email?: string | null
      verified?: VerifiedEmail | null
    }
  | { dock: DockCaller }

/** Where the browser is, and the secret of the session that it had, which ends. */
export interface SessionBrowser {
  address: string
  userAgent: string | null
  replaces: string | null
}

type Issuing = Pick<Context, 'ids' | 'clock'> & { db: Database }

/**
 * Opens a session with a new secret, so that a secret from before the sign-in is worth nothing after it. A token and a dock key of one
 * browser are in its session together, as in the headers of a request, because they open different things. A new token takes the place of
 * the one before it, and so does a new dock key. What a link of the terminal opened ends, because such a link opens both. A member of the
 * staff of a tenant acts for it, in place of a dock key.
 */
export async function openSession(
  ctx: Issuing,
  credential: SessionCredential,
  browser: SessionBrowser,
): Promise<string> {
  return ctx.db.write((tx) => openWithin(ctx, tx, credential, browser))
}

async function openWithin(
  ctx: Issuing,
  tx: WriteTx,
  credential: SessionCredential,
  browser: SessionBrowser,
): Promise<string> {
  const now = ctx.clock.now()
  const previous = await endPrevious(tx, browser, now)
  const remaining = previous?.row.link_id === null ? previous : null
  const user = 'user' in credential ? credential.user : (remaining?.session.user ?? null)
  const earlierKey = remaining?.row.key_id ? remaining.session.dock : null
  const verified = 'user' in credential ? (credential.verified ?? null) : remaining && toVerified(remaining.row)
  const [membership = null] =
    'user' in credential && verified ? await listMemberships(tx, verified.email, verified.at) : []
  const key = 'dock' in credential ? credential.dock : membership ? null : earlierKey
  const provider = 'user' in credential ? credential.provider : remaining?.session.provider
  const email = 'user' in credential ? credential.email : remaining?.row.person_email
  const token = user?.tokenId ? await findToken(tx, user.tokenId) : null
  const ends = [token?.expires_at, 'user' in credential ? credential.expiresAt : user && remaining!.row.expires_at]
  return insertOpened(ctx, tx, browser, {
    name: user?.name ?? null,
    role: user?.role ?? null,
    dock_role: null,
    is_screen: 0,
    token_id: user?.tokenId ?? null,
    key_id: key?.credential.id ?? null,
    tenant_id: key?.tenantId ?? membership?.tenant_id ?? null,
    member_id: membership?.id ?? null,
    link_id: null,
    person_email: email ?? null,
    verified_email: verified?.email ?? null,
    verified_at: verified?.at ?? null,
    subject: provider?.subject ?? null,
    provider_session: provider?.session ?? null,
    provider_tokens: provider?.tokens ?? null,
    checked_at: provider?.checkedAt ?? null,
    confirmed_at: provider?.confirmedAt ?? null,
    expires_at: Math.min(now + SESSION_MS, ...ends.map((end) => end ?? Number.POSITIVE_INFINITY)),
  })
}

/**
 * Exchanges the secret of a link for that of a session; null if it was used before, has expired or is unknown. A link that was mailed gives
 * what a token of its person would, a link of the terminal what it allows itself.
 */
export async function redeemSessionLink(ctx: Issuing, link: string, browser: SessionBrowser): Promise<string | null> {
  return ctx.db.write(async (tx) => {
    const now = ctx.clock.now()
    const row = await findLive(tx, link, now)
    if (!row?.is_link) return null
    await updateSession(tx, row.id, { revoked_at: now })
    const verified = toVerified(row)
    if (verified !== null)
      return openWithin(ctx, tx, { user: toUser(row)!, expiresAt: null, email: row.person_email, verified }, browser)
    await endPrevious(tx, browser, now)
    const { name, role, dock_role, tenant_id, is_screen } = row
    const rights = { ...NO_CREDENTIAL, name, role, dock_role, tenant_id, is_screen, link_id: row.id }
    return insertOpened(ctx, tx, browser, { ...rights, expires_at: now + (is_screen ? SCREEN_MS : SESSION_MS) })
  })
}

/** The session that the browser had, which ends. */
async function endPrevious(tx: WriteTx, { replaces }: SessionBrowser, now: number): Promise<FoundSession | null> {
  const previous = replaces === null ? null : await findSession(tx, replaces, now)
  if (previous) await updateSession(tx, previous.row.id, { revoked_at: now })
  return previous
}

async function insertOpened(
  ctx: Issuing,
  tx: WriteTx,
  { address, userAgent }: SessionBrowser,
  fields: Omit<NewSession, 'is_link' | 'address' | 'user_agent'>,
): Promise<string> {
  const opened = { ...fields, is_link: 0, address, user_agent: userAgent?.slice(0, 300) ?? null }
  return (await insert(ctx, tx, opened)).secret
}

/** Creates a link that signs one browser in, within ten minutes. */
export function createLink(
  ctx: Issuing,
  tx: WriteTx,
  { name, role, dockRole, tenantId }: { name: string; role: Role; dockRole: DockRole; tenantId: string },
): Promise<{ id: string; secret: string }> {
  const rights = { name, role, dock_role: dockRole, tenant_id: tenantId, is_screen: 0 }
  return insert(ctx, tx, { ...UNOPENED, ...rights, expires_at: ctx.clock.now() + LINK_MS })
}

/** Creates a link that signs a screen in, within ten minutes: it may look at the docks of the tenant, and at nothing else. */
export function createScreenLink(
  ctx: Issuing,
  tx: WriteTx,
  { name, tenantId }: { name: string; tenantId: string },
): Promise<{ id: string; secret: string }> {
  const rights = { name, role: null, dock_role: 'viewer' as const, tenant_id: tenantId, is_screen: 1 }
  return insert(ctx, tx, { ...UNOPENED, ...rights, expires_at: ctx.clock.now() + LINK_MS })
}

/** Creates a link that signs in who reads the mails of the address, in one browser, within a quarter of an hour. */
export function createMailedLink(
  ctx: Issuing,
  tx: WriteTx,
  { email, name, role }: { email: string; name: string; role: Role | null },
): Promise<{ id: string; secret: string }> {
  const now = ctx.clock.now()
  const proof = { verified_email: email, verified_at: now, person_email: role === null ? null : email }
  const rights = { name, role, dock_role: null, tenant_id: null, is_screen: 0 }
  return insert(ctx, tx, { ...UNOPENED, ...rights, ...proof, expires_at: now + MAILED_LINK_MS })
}

const NO_CREDENTIAL = {
  token_id: null,
  key_id: null,
  person_email: null,
  verified_email: null,
  verified_at: null,
  member_id: null,
  subject: null,
  provider_session: null,
  provider_tokens: null,
  checked_at: null,
  confirmed_at: null,
}

/** What a link has not, until a browser opens it. */
const UNOPENED = { ...NO_CREDENTIAL, is_link: 1, link_id: null, address: null, user_agent: null }

type NewSession = Omit<SessionTable, 'id' | 'prefix' | 'hash' | 'created_at' | 'last_used_at' | 'revoked_at'>

async function insert(ctx: Issuing, tx: WriteTx, fields: NewSession): Promise<{ id: string; secret: string }> {
  const { text, row } = issueCredential(ctx, SESSION_KIND)
  // Anyone may request links by mail, so that each new row removes old ones.
  await deleteSessionsExpiredBefore(tx, row.created_at - SESSION_MS)
  await insertSession(tx, { ...row, ...fields, last_used_at: fields.is_link ? null : row.created_at })
  return { id: row.id, secret: text }
}

/** The session with that secret; null if it ended, or if its token or dock key is no longer valid. */
export async function verifySession(db: Database, secret: string, now: number): Promise<Session | null> {
  // A wrong checksum is refused before the database is asked.
  if (parsePublicPrefix(SESSION_KIND, secret) === null) return null
  const found = await db.read((tx) => findSession(tx, secret, now))
  if (!found) return null
  const { is_screen, expires_at } = found.row
  const renewed = is_screen ? { expires_at: Math.max(expires_at, now + SCREEN_MS) } : {}
  await recordUse(db, found.row, now, (tx, id, used) => updateSession(tx, id, { ...used, ...renewed }))
  return found.session
}

export async function endSession(db: Database, id: string, now: number): Promise<void> {
  await db.write((tx) => updateSession(tx, id, { revoked_at: now }))
}

interface FoundSession {
  row: SessionTable
  session: Session
}

async function findSession(tx: ReadTx, secret: string, now: number): Promise<FoundSession | null> {
  const row = await findLive(tx, secret, now)
  if (!row || row.is_link) return null
  const isScreen = row.is_screen === 1
  if (!isScreen && now - (row.last_used_at ?? row.created_at) > IDLE_MS) return null
  if (row.link_id !== null) {
    const rights = { user: toUser(row), dock: toLinkCaller(row), memberships: [], provider: null }
    return { row, session: { id: row.id, ...rights, isScreen } }
  }
  const key = row.key_id === null ? null : await findKey(tx, row.key_id)
  if (row.key_id !== null && key?.revoked_at !== null) return null
  const token = row.token_id === null ? null : await findToken(tx, row.token_id)
  if (row.token_id !== null && !isLiveToken(token, now)) return null
  const user = toUser(token ? { ...row, name: token.name, role: token.role } : row)
  const verified = toVerified(row)
  const memberships = verified ? await listMemberships(tx, verified.email, verified.at) : []
  // Someone who was only on the staff has signed in for nothing else.
  if (verified !== null && row.role === null && key === null && memberships.length === 0) return null
  // Without the membership that it acted with, a session acts for no tenant until the user chooses one.
  const member = memberships.find(({ id }) => id === row.member_id) ?? null
  const dock = key ? toKeyCaller(key) : member && toMemberCaller(member)
  const provider = toProviderState(row)
  return { row, session: { id: row.id, user, dock, memberships: memberships.map(toMembership), provider, isScreen } }
}

/** Lets a session act for the tenant of one of its memberships. False if it has no such membership. */
export async function actAsMember(db: Database, { id, memberships }: Session, memberId: unknown): Promise<boolean> {
  const chosen = memberships.find((membership) => membership.id === memberId)
  if (chosen === undefined) return false
  await db.write((tx) => updateSession(tx, id, { member_id: chosen.id, tenant_id: chosen.tenantId, key_id: null }))
  return true
}

function toMembership({ id, tenant_id: tenantId, tenant }: MembershipRow): Membership {
  return { id, tenantId, tenant }
}

function toMemberCaller({ id, tenant_id: tenantId, name, role }: MembershipRow): DockCaller {
  return { kind: 'dock', tenantId, role, carrier: null, credential: { kind: 'member', id, name } }
}

function toVerified({ verified_email: email, verified_at: at }: SessionTable): VerifiedEmail | null {
  return email === null || at === null ? null : { email, at }
}

function isLiveToken(token: TokenTable | null, now: number): boolean {
  return token !== null && token.revoked_at === null && (token.expires_at === null || token.expires_at > now)
}

async function findLive(tx: ReadTx, secret: string, now: number): Promise<SessionTable | null> {
  const prefix = parsePublicPrefix(SESSION_KIND, secret)
  const row = prefix && findByHash(await findSessionsByPrefix(tx, prefix), secret)
  return row && row.revoked_at === null && row.expires_at > now ? row : null
}

function toUser({ name, role, token_id, subject, verified_email }: SessionTable): User | null {
  if (name === null) return null
  const personId = subject ?? verified_email
  return { kind: 'user', name, role, tokenId: token_id, ...(personId !== null && { personId }) }
}

function toProviderState(row: SessionTable): ProviderState | null {
  const { subject, provider_session: session, provider_tokens: tokens, checked_at, confirmed_at } = row
  if (subject === null || tokens === null) return null
  return {
    subject,
    session,
    tokens,
    checkedAt: checked_at ?? 0,
    confirmedAt: confirmed_at ?? 0,
    email: row.verified_email,
  }
}

/** What a link allows at the docks of its tenant. */
function toLinkCaller({ tenant_id, link_id, name, dock_role }: SessionTable): DockCaller | null {
  if (tenant_id === null || link_id === null || name === null || dock_role === null) return null
  const credential = { kind: 'link', id: link_id, name } as const
  return { kind: 'dock', tenantId: tenant_id, role: dock_role, carrier: null, credential }
}
