import * as z from 'zod'
import { type Context, inputError, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { insertKey } from '../queries/tenants'
import {
  DockRoleName,
  dockRoleAbout,
  isCarrierRole,
  ManagedTenant,
  OneLineName,
  TenantKey,
  TokenScope,
  toDockRole,
  toTenantKey,
} from '../schemas'
import { issueCredential } from '../services/issue-credential'
import { openManagedTenant } from '../services/managed-tenant'
import { TENANT_KEY_KIND } from '../services/verify-credential'

export const createTenantKey = operation({
  id: 'tenants.create-key',
  summary: 'Create a dock key for a tenant and show it once',
  description:
    'A tenant may have as many keys as it has systems. A key of a carrier sees and books only the appointments of that carrier, at the facilities that admit it: it is a viewer or a clerk. Over HTTP, an admin of the docks creates keys of its own tenant. To replace a key without an interruption, create the new one, then revoke the old one.',
  effect: 'write',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({
    tenant: ManagedTenant,
    name: OneLineName.optional().describe(
      'Name of the key, such as the system that uses it (default: its public part)',
    ),
    role: DockRoleName.optional().describe(`${dockRoleAbout} (default: clerk)`),
    scope: TokenScope.optional().describe(
      'In place of the role: read for viewer, write for manager (for a carrier: clerk), admin for admin',
    ),
    carrier: z.string().trim().min(1).max(200).optional().describe('Only for the appointments of this carrier'),
  }),
  output: TenantKey.extend({ key: z.string().describe('The key itself; only its hash is stored') }),
  errors: ['not_found'],
  http: { method: 'post', path: '/api/keys', extension: true, hasSecret: true },
  cli: {
    command: 'tenant key create',
    flags: { carrier: { value: 'name' } },
    examples: [
      'studio tenant key create',
      'studio tenant key create --name "Acme TMS" --json --fields id,key',
      'studio tenant key create --name "Gate tablet" --role gate',
      'studio tenant key create --carrier "Blue Freight"',
    ],
    seeAlso: ['tenant key list', 'tenant key revoke', 'carrier admit'],
  },
  run(ctx: Context & StorageContext, { tenant: tenantName, name, scope, carrier = null, ...input }) {
    if (input.role !== undefined && scope !== undefined)
      throw inputError([{ path: 'role', message: 'cannot be combined with scope' }])
    const role = input.role ?? (scope === undefined ? 'clerk' : toDockRole(scope, carrier))
    if (carrier !== null && !isCarrierRole(role))
      throw inputError([
        { path: scope === undefined ? 'role' : 'scope', message: `must not be ${scope ?? role} for a carrier` },
      ])
    return ctx.db.write(async (tx) => {
      const tenant = await openManagedTenant(ctx, tx, tenantName)
      const { text: key, row: issued } = issueCredential(ctx, TENANT_KEY_KIND)
      const row = {
        ...issued,
        tenant_id: tenant.id,
        name: name ?? `key ${issued.prefix}`,
        role,
        carrier_name: carrier,
      }
      await insertKey(tx, row)
      return { ...toTenantKey(tenant.name, row), key }
    })
  },
})
