import type { ReadTx, WriteTx } from '../../storage'
import type { StaffMemberTable } from '../tables'
import { accessTables } from './access-tables'

/** False if the tenant has a member with this address already. */
export async function insertMember(tx: WriteTx, member: StaffMemberTable): Promise<boolean> {
  const added = await accessTables(tx)
    .insertInto('staff_member')
    .values(member)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'email']).doNothing())
    .returning('id')
    .execute()
  return added.length === 1
}

export async function findMember(tx: ReadTx, tenantId: string, email: string): Promise<StaffMemberTable | null> {
  const row = await accessTables(tx)
    .selectFrom('staff_member')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('email', '=', email)
    .executeTakeFirst()
  return row ?? null
}

/** The staff of a tenant by address. */
export function listMembers(tx: ReadTx, tenantId: string): Promise<StaffMemberTable[]> {
  return accessTables(tx)
    .selectFrom('staff_member')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('email')
    .execute()
}

export type MembershipRow = StaffMemberTable & { tenant: string }

/** The memberships of an address that existed at an instant, the oldest first, with the names of their tenants. */
export function listMemberships(tx: ReadTx, email: string, at: number): Promise<MembershipRow[]> {
  return accessTables(tx)
    .selectFrom('staff_member')
    .innerJoin('tenant', 'tenant.id', 'staff_member.tenant_id')
    .selectAll('staff_member')
    .select('tenant.name as tenant')
    .where('email', '=', email)
    .where('staff_member.created_at', '<=', at)
    .orderBy('staff_member.created_at')
    .orderBy('staff_member.id')
    .execute()
}

export async function updateMember(
  tx: WriteTx,
  id: string,
  changes: Partial<Pick<StaffMemberTable, 'name' | 'role'>>,
): Promise<void> {
  await accessTables(tx).updateTable('staff_member').set(changes).where('id', '=', id).execute()
}

export async function deleteMember(tx: WriteTx, id: string): Promise<void> {
  await accessTables(tx).deleteFrom('staff_member').where('id', '=', id).execute()
}
