import * as z from 'zod'
import { type Context, hint, inputError, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { insertKey, listKeys } from '../queries/tenants'
import { TenantKey, TenantName, TokenScope, toTenantKey } from '../schemas'
import { issueCredential } from '../services/issue-credential'
import { findOrCreateTenant, requireTerminalTenant } from '../services/tenants'
import { TENANT_KEY_KIND } from '../services/verify-credential'

/** Enough to replace a key without an interruption. */
const MAX_LIVE_KEYS = 2

export const createTenantKey = operation({
  id: 'tenants.create-key',
  summary: 'Create a dock key for a tenant and show it once',
  description:
    'A key of a carrier sees and books only the appointments of that carrier, at the facilities that admit it. Two keys of each scope can be valid at once, also for each carrier, so that you can replace a key without an interruption: create the new key, then revoke the old one.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    tenant: TenantName.optional().describe('The tenant; by default the one of the settings'),
    name: z.string().trim().min(1).max(100).optional().describe('Name of the key, such as the system that uses it'),
    scope: TokenScope.default('write').describe(
      'What the key allows: read, write to book, or admin to set up facilities too',
    ),
    carrier: z.string().trim().min(1).max(200).optional().describe('Only for the appointments of this carrier'),
  }),
  output: TenantKey.extend({ key: z.string().describe('The key itself; only its hash is stored') }),
  errors: ['not_found', 'conflict'],
  cli: {
    command: 'tenant key create',
    flags: { carrier: { value: 'name' } },
    examples: [
      'studio tenant key create',
      'studio tenant key create --name "Acme TMS" --json --fields id,key',
      'studio tenant key create --scope admin',
      'studio tenant key create --carrier "Blue Freight"',
    ],
    seeAlso: ['tenant key list', 'tenant key revoke', 'carrier admit'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.write(async (tx) => {
      const tenant = await findOrCreateTenant(ctx, tx, input.tenant ?? requireTerminalTenant(ctx))
      const { scope, carrier = null } = input
      if (carrier !== null && scope === 'admin')
        throw inputError([{ path: 'scope', message: 'must not be admin for a carrier' }])
      const live = (await listKeys(tx, tenant.id)).filter(
        (key) => key.revoked_at === null && key.scope === scope && key.carrier_name === carrier,
      )
      if (live.length >= MAX_LIVE_KEYS) {
        throw new StudioError(
          'conflict',
          `The tenant ${tenant.name} already has ${live.length} live keys of the scope ${scope}${carrier === null ? '' : ` for ${carrier}`}, which is the maximum.`,
          {
            hint: hint`Revoke a key that is no longer used: ${suggest('tenants.revoke-key', { id: live.at(-1)!.id })}`,
          },
        )
      }
      const { text: key, row: issued } = issueCredential(ctx, TENANT_KEY_KIND)
      const row = { ...issued, tenant_id: tenant.id, name: input.name ?? null, scope, carrier_name: carrier }
      await insertKey(tx, row)
      return { ...toTenantKey(tenant.name, row), key }
    })
  },
})
