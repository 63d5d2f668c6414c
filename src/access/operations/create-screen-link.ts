import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { createScreenLink as createLink } from '../services/console-sessions'
import { openManagedTenant } from '../services/managed-tenant'

export const createScreenLink = operation({
  id: 'sessions.create-screen',
  summary: 'Create a link that signs a screen in, which shows the docks',
  description:
    'The link works once, within ten minutes. The screen may look at the docks of the tenant and at nothing else. Its session has the name, is renewed while the screen is used, and ends when it is revoked or the screen was off for 30 days. The link is a path until the setting serve.publicUrl says where others reach the service.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    name: z.string().trim().min(1).max(100).describe('Name of the screen, such as where it hangs'),
  }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    tenant: z.string(),
    link: z.string().describe('The link itself; only its hash is stored. The part after # is the secret'),
  }),
  errors: ['not_found'],
  cli: {
    command: 'session screen',
    examples: ['studio session screen --name "North dock"', 'studio session screen --name "Gate office" --json'],
    seeAlso: ['session link', 'session list', 'session revoke', 'facility board'],
  },
  run(ctx: Context & StorageContext & { findPublicUrl(): string | null }, { name }) {
    return ctx.db.write(async (tx) => {
      const tenant = await openManagedTenant(ctx, tx)
      const { id, secret } = await createLink(ctx, tx, { name, tenantId: tenant.id })
      return { id, name, tenant: tenant.name, link: `${ctx.findPublicUrl() ?? ''}/console/sign-in#${secret}` }
    })
  },
})
