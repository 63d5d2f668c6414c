import * as z from 'zod'
import { type Context, newestFirst, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { listKeys } from '../queries/tenants'
import { ManagedTenant, TenantKey, toTenantKey } from '../schemas'
import { findManagedTenant } from '../services/managed-tenant'

export const listTenantKeys = operation({
  id: 'tenants.list-keys',
  summary: "List a tenant's dock keys, including revoked ones",
  effect: 'read',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({
    tenant: ManagedTenant,
  }),
  output: z.array(TenantKey),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/keys', extension: true },
  listOrder: () => newestFirst,
  cli: {
    command: 'tenant key list',
    examples: ['studio tenant key list', 'studio tenant key list --json --fields id,name,role,lastUsedAt'],
    seeAlso: ['tenant key create', 'tenant key revoke'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const tenant = await findManagedTenant(ctx, tx, input.tenant)
      if (!tenant) return []
      return (await listKeys(tx, tenant.id)).map((row) => toTenantKey(tenant.name, row))
    })
  },
})
