import * as z from 'zod'
import { type Context, inputError, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { updateMember as updateRow } from '../queries/staff'
import {
  DockRoleName,
  dockRoleAbout,
  EmailAddress,
  ManagedTenant,
  OneLineName,
  StaffMember,
  toStaffMember,
} from '../schemas'
import { requireAnotherAdmin, requireMember } from '../services/require-member'

export const updateMember = operation({
  id: 'staff.update',
  summary: 'Change the role or the name of a member of the staff',
  description:
    'Sessions that are open have the new role with the next request. Earlier entries of the history keep the name that the member had then.',
  effect: 'write',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({
    tenant: ManagedTenant,
    email: EmailAddress,
    name: OneLineName.optional().describe('Name of the member from now on'),
    role: DockRoleName.optional().describe(dockRoleAbout),
  }),
  output: StaffMember,
  errors: ['not_found', 'conflict'],
  http: { method: 'patch', path: '/api/staff/{email}', extension: true },
  cli: {
    command: 'staff update',
    args: ['email'],
    examples: ['studio staff update ana@example.com --role manager'],
    seeAlso: ['staff list', 'staff remove'],
  },
  run(ctx: Context & StorageContext, { role, name, ...choice }) {
    if (role === undefined && name === undefined)
      throw inputError([{ path: '', message: 'specify at least one field to change' }])
    return ctx.db.write(async (tx) => {
      const found = await requireMember(ctx, tx, choice)
      const { tenant, member } = found
      const changed = { ...member, role: role ?? member.role, name: name ?? member.name }
      if (changed.role !== 'admin') await requireAnotherAdmin(ctx, tx, found)
      await updateRow(tx, member.id, { role: changed.role, name: changed.name })
      return toStaffMember(tenant.name, changed)
    })
  },
})
