import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { listKeys } from '../queries/tenants'
import { TenantKey, TenantName, toTenantKey } from '../schemas'
import { findTenant, requireTerminalTenant } from '../services/tenants'

export const listTenantKeys = operation({
  id: 'tenants.list-keys',
  summary: "List a tenant's dock keys, including revoked ones",
  effect: 'read',
  access: 'admin',
  input: z.strictObject({
    tenant: TenantName.optional().describe('The tenant; by default the one of the settings'),
  }),
  output: z.array(TenantKey),
  errors: ['not_found'],
  cli: {
    command: 'tenant key list',
    examples: ['studio tenant key list', 'studio tenant key list --json --fields id,prefix,lastUsedAt'],
    seeAlso: ['tenant key create', 'tenant key revoke'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const tenant = await findTenant(tx, input.tenant ?? requireTerminalTenant(ctx))
      if (!tenant) return []
      return (await listKeys(tx, tenant.id)).map((row) => toTenantKey(tenant.name, row))
    })
  },
})
