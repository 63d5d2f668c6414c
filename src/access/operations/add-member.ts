import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { insertMember } from '../queries/staff'
import {
  DockRoleName,
  dockRoleAbout,
  EmailAddress,
  ManagedTenant,
  OneLineName,
  StaffMember,
  toStaffMember,
} from '../schemas'
import { openManagedTenant } from '../services/managed-tenant'

export const addMember = operation({
  id: 'staff.add',
  summary: 'Add a member to the staff of a tenant',
  description:
    'The member signs in to the console with a link by mail, or with an identity provider that reports the address as verified, and then acts for the tenant with the role. Changes of appointments name the member. One address can be on the staff of several tenants.',
  effect: 'write',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({
    tenant: ManagedTenant,
    email: EmailAddress,
    name: OneLineName.optional().describe('Name of the member, as the history shows it (default: the address)'),
    role: DockRoleName.default('viewer').describe(dockRoleAbout),
  }),
  output: StaffMember,
  errors: ['not_found', 'conflict'],
  http: { method: 'post', path: '/api/staff', extension: true },
  cli: {
    command: 'staff add',
    args: ['email'],
    examples: [
      'studio staff add ana@example.com --name "Ana Diaz" --role clerk',
      'studio staff add lee@example.com --role admin --json',
    ],
    seeAlso: ['staff list', 'staff update', 'staff remove', 'tenant key create'],
  },
  run(ctx: Context & StorageContext, { tenant: tenantName, email, name = email, role }) {
    return ctx.db.write(async (tx) => {
      const tenant = await openManagedTenant(ctx, tx, tenantName)
      const row = { id: ctx.ids.uuid(), tenant_id: tenant.id, email, name, role, created_at: ctx.clock.now() }
      if (await insertMember(tx, row)) return toStaffMember(tenant.name, row)
      throw new StudioError('conflict', `${email} is on the staff of ${tenant.name} already.`, {
        hint: hint`To change the role: ${suggest('staff.update', { email, role })}`,
      })
    })
  },
})
