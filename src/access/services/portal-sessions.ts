import type { Context, DockCaller } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import type { Database, ReadTx, WriteTx } from '../../storage'
import type { InvitationTable, PortalCredentialTable } from '../invitation-tables'
import {
  deleteExpiredPortalCredentials,
  endPortalCredential,
  findInvitation,
  findPortalCredentials,
  type InvitationRow,
  insertPortalCredential,
  listLiveInvitationsOf,
  updateInvitation,
} from '../queries/invitations'
import { judgeState, parsePublicPrefix } from './credential'
import { issueCredential } from './issue-credential'
import { findByHash, recordUse } from './verify-credential'

const LINK_KIND = 'studio_inv_'
export const PORTAL_SESSION_KIND = 'studio_por_'

/** How long a link works that was requested on the page Sign in. */
const REQUESTED_LINK_MS = 15 * MINUTE_MS

/** A browser in which a carrier has the portal open. It ends with its invitation. */
export interface PortalSession {
  id: string
  /** The name of the tenant. */
  tenant: string
  carrier: string
  /** The address that was invited; null if there is none. */
  email: string | null
  dock: DockCaller
}

type Issuing = Pick<Context, 'ids' | 'clock'>
type Opening = Issuing & { db: Database }

/** Creates a link that opens the portal in one browser, once, while the invitation is live. */
export function createInvitationLink(ctx: Issuing, tx: WriteTx, invitation: InvitationTable): Promise<string> {
  return issue(ctx, tx, LINK_KIND, invitation, invitation.expires_at)
}

/** The same for each carrier for which an address has a live invitation, within a quarter of an hour. It is of the one that lasts longest. */
export async function createRequestedLinks(
  ctx: Issuing,
  tx: WriteTx,
  email: string,
): Promise<{ invitation: InvitationRow; secret: string }[]> {
  const now = ctx.clock.now()
  const links = []
  const shortestFirst = (await listLiveInvitationsOf(tx, email, now)).sort((a, b) => a.expires_at - b.expires_at)
  const ofCarriers = new Map(shortestFirst.map((row) => [JSON.stringify([row.tenant_id, row.carrier_name]), row]))
  for (const invitation of ofCarriers.values()) {
    const end = Math.min(now + REQUESTED_LINK_MS, invitation.expires_at)
    links.push({ invitation, secret: await issue(ctx, tx, LINK_KIND, invitation, end) })
  }
  return links
}

/**
 * Exchanges the secret of a link for that of a session; null if it was used before, has expired or is unknown, or its invitation was revoked.
 * The session that the browser had ends.
 */
export async function redeemInvitationLink(
  ctx: Opening,
  link: string,
  { replaces }: { replaces: string | null },
): Promise<string | null> {
  if (parsePublicPrefix(LINK_KIND, link) === null) return null
  return ctx.db.write(async (tx) => {
    const now = ctx.clock.now()
    const found = await findLive(tx, LINK_KIND, link, now)
    if (!found) return null
    await endPortalCredential(tx, found.credential.id, now)
    const previous = replaces === null ? null : await findLive(tx, PORTAL_SESSION_KIND, replaces, now)
    if (previous) await endPortalCredential(tx, previous.credential.id, now)
    return issue(ctx, tx, PORTAL_SESSION_KIND, found.invitation, found.invitation.expires_at)
  })
}

/** The session with that secret; null if it has ended or is unknown. */
export async function verifyPortalSession(db: Database, secret: string, now: number): Promise<PortalSession | null> {
  if (parsePublicPrefix(PORTAL_SESSION_KIND, secret) === null) return null
  const found = await db.read((tx) => findLive(tx, PORTAL_SESSION_KIND, secret, now))
  if (!found) return null
  const { credential, invitation } = found
  await recordUse(db, invitation, now, updateInvitation)
  const { tenant, carrier_name: carrier, email } = invitation
  return { id: credential.id, tenant, carrier, email, dock: toCarrierCaller(invitation) }
}

export async function endPortalSession(db: Database, id: string, now: number): Promise<void> {
  await db.write((tx) => endPortalCredential(tx, id, now))
}

function toCarrierCaller({ id, tenant_id: tenantId, carrier_name: carrier, email }: InvitationRow): DockCaller {
  const name = `portal: ${carrier}${email === null ? '' : ` <${email}>`}`
  return { kind: 'dock', tenantId, role: 'clerk', carrier, credential: { kind: 'invitation', id, name } }
}

type PortalCredentialKind = typeof LINK_KIND | typeof PORTAL_SESSION_KIND

async function issue(
  ctx: Issuing,
  tx: WriteTx,
  kind: PortalCredentialKind,
  { id: invitation_id }: InvitationTable,
  expires_at: number,
): Promise<string> {
  const { text, row } = issueCredential(ctx, kind)
  const { id, prefix, hash, created_at } = row
  await deleteExpiredPortalCredentials(tx, created_at)
  await insertPortalCredential(tx, { id, invitation_id, prefix, hash, created_at, expires_at, ended_at: null })
  return text
}

/** A credential that has not ended, with its invitation, which is live. */
async function findLive(
  tx: ReadTx,
  kind: PortalCredentialKind,
  secret: string,
  now: number,
): Promise<{ credential: PortalCredentialTable; invitation: InvitationRow } | null> {
  const prefix = parsePublicPrefix(kind, secret)
  const credential = prefix && findByHash(await findPortalCredentials(tx, prefix), secret)
  if (!credential || credential.ended_at !== null || credential.expires_at <= now) return null
  const invitation = await findInvitation(tx, credential.invitation_id)
  if (!invitation || judgeState(invitation, now) !== 'live') return null
  return { credential, invitation }
}
