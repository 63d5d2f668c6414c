import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { findKey, updateKey } from '../queries/tenants'
import { TenantKey, toTenantKey } from '../schemas'
import { isManagedBy } from '../services/managed-tenant'

export const revokeTenantKey = operation({
  id: 'tenants.revoke-key',
  summary: 'Revoke a dock key immediately and permanently',
  effect: 'write',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({ id: z.guid().toLowerCase().describe('ID of the key, as shown by create and list') }),
  output: TenantKey,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/keys/{id}', extension: true },
  cli: {
    command: 'tenant key revoke',
    args: ['id'],
    examples: ['studio tenant key revoke 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['tenant key list', 'tenant key create'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(async (tx) => {
      const row = await findKey(tx, id)
      if (!row || !isManagedBy(ctx, row.tenant_id))
        throw new StudioError('not_found', `There is no key ${id}.`, {
          hint: hint`List the keys: ${suggest('tenants.list-keys')}`,
        })
      const revoked_at = row.revoked_at ?? ctx.clock.now()
      if (row.revoked_at === null) await updateKey(tx, id, { revoked_at })
      return toTenantKey(row.tenant, { ...row, revoked_at })
    })
  },
})
