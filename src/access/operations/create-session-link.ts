import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { DockRoleName, TenantName, TokenScope, toDockRole, toRole, UserRole } from '../schemas'
import { createLink } from '../services/console-sessions'
import { findOrCreateTenant, requireTerminalTenant } from '../services/tenants'

export const createSessionLink = operation({
  id: 'sessions.create-link',
  summary: 'Create a link that signs a browser in to the console',
  description:
    'The link works once, within ten minutes. The browser may then do what the scope allows, with the docks of the tenant too: read is a viewer there, write a manager, admin an admin.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    name: z.string().trim().min(1).max(100).default('terminal').describe('Name of the session, such as who uses it'),
    scope: TokenScope.default('admin').describe('What the browser may do with stories, docks and settings'),
    role: UserRole.optional().describe('What it may do with stories and settings, if that is not what the scope says'),
    dockRole: DockRoleName.optional().describe('What it may do at the docks, if that is not what the scope says'),
    tenant: TenantName.optional().describe('The tenant of the docks; by default the one of the settings'),
  }),
  output: z.object({
    id: z.string(),
    path: z.string().describe('The page to open on the service. The part after # is the secret'),
    tenant: z.string(),
  }),
  errors: ['not_found'],
  cli: {
    command: 'session link',
    examples: ['studio session link', 'studio session link --name "wall screen" --scope read --json'],
    seeAlso: ['session list', 'session revoke', 'console'],
  },
  run(
    ctx: Context & StorageContext,
    { name, scope, role = toRole([scope])!, dockRole = toDockRole(scope), tenant: tenantName },
  ) {
    return ctx.db.write(async (tx) => {
      const tenant = await findOrCreateTenant(ctx, tx, tenantName ?? requireTerminalTenant(ctx))
      const { id, secret } = await createLink(ctx, tx, { name, role, dockRole, tenantId: tenant.id })
      return { id, path: `/console/sign-in#${secret}`, tenant: tenant.name }
    })
  },
})
