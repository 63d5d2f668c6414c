import { type Context, hint, StudioError, suggest } from '../../kernel'
import type { ReadTx } from '../../storage'
import { findMember, listMembers } from '../queries/staff'
import type { StaffMemberTable, TenantTable } from '../tables'
import { findManagedTenant } from './managed-tenant'

/** A member of the tenant that the caller manages. Throws `not_found`, for a member of another tenant too. */
export async function requireMember(
  ctx: Pick<Context, 'actor'>,
  tx: ReadTx,
  { tenant: name, email }: { tenant?: string | undefined; email: string },
): Promise<{ tenant: TenantTable; member: StaffMemberTable }> {
  const tenant = await findManagedTenant(ctx, tx, name)
  const member = tenant && (await findMember(tx, tenant.id, email))
  if (member) return { tenant: tenant!, member }
  throw new StudioError('not_found', `There is no member of the staff with the address ${email}.`, {
    hint: hint`List the staff: ${suggest('staff.list', name === undefined ? {} : { tenant: name })}`,
  })
}

/**
 * Throws `conflict` if the member is the only admin of the staff, so that a tenant does not lock itself out. The person at the terminal and
 * an admin of the service can always add one.
 */
export async function requireAnotherAdmin(
  { actor }: Pick<Context, 'actor'>,
  tx: ReadTx,
  { tenant, member }: { tenant: TenantTable; member: StaffMemberTable },
): Promise<void> {
  if (actor.kind !== 'dock' || member.role !== 'admin') return
  const others = (await listMembers(tx, tenant.id)).filter(({ id, role }) => id !== member.id && role === 'admin')
  if (others.length > 0) return
  throw new StudioError('conflict', `${member.name} is the only admin of the staff of ${tenant.name}.`, {
    hint: hint`Make someone else an admin first: ${suggest('staff.update', { email: '<email>', role: 'admin' })}`,
  })
}
