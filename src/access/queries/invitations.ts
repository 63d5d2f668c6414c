import type { ReadTx, WriteTx } from '../../storage'
import type { InvitationTable, PortalCredentialTable } from '../invitation-tables'
import { accessTables } from './access-tables'

export type InvitationRow = InvitationTable & { tenant: string }

export async function insertInvitation(tx: WriteTx, invitation: InvitationTable): Promise<void> {
  await accessTables(tx).insertInto('carrier_invitation').values(invitation).execute()
}

/** The invitations of a tenant, newest first. */
export function listInvitations(tx: ReadTx, tenantId: string): Promise<InvitationTable[]> {
  return accessTables(tx)
    .selectFrom('carrier_invitation')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** The invitations of an address at all tenants that are neither revoked nor expired. */
export function listLiveInvitationsOf(tx: ReadTx, email: string, now: number): Promise<InvitationRow[]> {
  return selectInvitations(tx)
    .where('email', '=', email)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('carrier_invitation.created_at')
    .orderBy('carrier_invitation.id')
    .execute()
}

/** How many invitations of the carrier are neither revoked nor expired. */
export async function countLiveInvitations(
  tx: ReadTx,
  { tenantId, carrier, now }: { tenantId: string; carrier: string; now: number },
): Promise<number> {
  const { count } = await accessTables(tx)
    .selectFrom('carrier_invitation')
    .select((expression) => expression.fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('carrier_name', '=', carrier)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function findInvitation(tx: ReadTx, id: string): Promise<InvitationRow | null> {
  return (await selectInvitations(tx).where('carrier_invitation.id', '=', id).executeTakeFirst()) ?? null
}

export async function updateInvitation(
  tx: WriteTx,
  id: string,
  changes: Partial<Pick<InvitationTable, 'last_used_at' | 'revoked_at'>>,
): Promise<void> {
  await accessTables(tx).updateTable('carrier_invitation').set(changes).where('id', '=', id).execute()
}

export async function insertPortalCredential(tx: WriteTx, credential: PortalCredentialTable): Promise<void> {
  await accessTables(tx).insertInto('portal_credential').values(credential).execute()
}

export function findPortalCredentials(tx: ReadTx, prefix: string): Promise<PortalCredentialTable[]> {
  return accessTables(tx).selectFrom('portal_credential').selectAll().where('prefix', '=', prefix).execute()
}

export async function endPortalCredential(tx: WriteTx, id: string, now: number): Promise<void> {
  await accessTables(tx).updateTable('portal_credential').set({ ended_at: now }).where('id', '=', id).execute()
}

/** Rows that open nothing. */
export async function deleteExpiredPortalCredentials(tx: WriteTx, now: number): Promise<void> {
  await accessTables(tx).deleteFrom('portal_credential').where('expires_at', '<=', now).execute()
}

function selectInvitations(tx: ReadTx) {
  return accessTables(tx)
    .selectFrom('carrier_invitation')
    .innerJoin('tenant', 'tenant.id', 'carrier_invitation.tenant_id')
    .selectAll('carrier_invitation')
    .select('tenant.name as tenant')
}
