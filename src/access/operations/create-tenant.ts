import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { findTenantByName, insertTenant } from '../queries/tenants'
import { Tenant, TenantName } from '../schemas'

export const createTenant = operation({
  id: 'tenants.create',
  summary: 'Create a tenant with its own facilities and keys',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({ name: TenantName }),
  output: Tenant,
  errors: ['conflict'],
  cli: {
    command: 'tenant create',
    args: ['name'],
    examples: ['studio tenant create acme'],
    seeAlso: ['tenant list', 'tenant key create'],
  },
  run(ctx: Context & StorageContext, { name }) {
    return ctx.db.write(async (tx) => {
      if (await findTenantByName(tx, name)) {
        throw new StudioError('conflict', `The tenant ${name} already exists.`, {
          hint: hint`List the tenants: ${suggest('tenants.list')}`,
        })
      }
      const tenant = { id: ctx.ids.uuid(), name, created_at: ctx.clock.now() }
      await insertTenant(tx, tenant)
      return { id: tenant.id, name, liveKeys: 0, createdAt: formatInstant(tenant.created_at) }
    })
  },
})
