import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { deleteMember } from '../queries/staff'
import { EmailAddress, ManagedTenant, StaffMember, toStaffMember } from '../schemas'
import { requireAnotherAdmin, requireMember } from '../services/require-member'

export const removeMember = operation({
  id: 'staff.remove',
  summary: 'Remove a member from the staff of a tenant',
  description:
    'Open sessions of the member no longer act for the tenant, from the next request on. The history still names the member.',
  effect: 'write',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({
    tenant: ManagedTenant,
    email: EmailAddress,
  }),
  output: StaffMember,
  errors: ['not_found', 'conflict'],
  http: { method: 'delete', path: '/api/staff/{email}', extension: true },
  cli: {
    command: 'staff remove',
    args: ['email'],
    examples: ['studio staff remove ana@example.com'],
    seeAlso: ['staff list', 'session revoke'],
  },
  run(ctx: Context & StorageContext, choice) {
    return ctx.db.write(async (tx) => {
      const found = await requireMember(ctx, tx, choice)
      await requireAnotherAdmin(ctx, tx, found)
      await deleteMember(tx, found.member.id)
      return toStaffMember(found.tenant.name, found.member)
    })
  },
})
