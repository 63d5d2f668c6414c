import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { listMembers } from '../queries/staff'
import { ManagedTenant, StaffMember, toStaffMember } from '../schemas'
import { findManagedTenant } from '../services/managed-tenant'

export const listStaff = operation({
  id: 'staff.list',
  summary: 'List the staff of a tenant',
  effect: 'read',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({
    tenant: ManagedTenant,
  }),
  output: z.array(StaffMember),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/staff', extension: true },
  listOrder: () => ({ id: ({ id }) => id, key: ({ email }) => [email] }),
  cli: {
    command: 'staff list',
    examples: ['studio staff list', 'studio staff list --json --fields email,role'],
    seeAlso: ['staff add', 'staff update', 'staff remove', 'tenant key list'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const tenant = await findManagedTenant(ctx, tx, input.tenant)
      if (!tenant) return []
      return (await listMembers(tx, tenant.id)).map((row) => toStaffMember(tenant.name, row))
    })
  },
})
