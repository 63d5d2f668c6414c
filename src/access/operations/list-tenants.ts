import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { listTenantsWithKeyCounts } from '../queries/tenants'
import { Tenant } from '../schemas'

export const listTenants = operation({
  id: 'tenants.list',
  summary: 'List the tenants',
  effect: 'read',
  access: 'admin',
  input: z.strictObject({}),
  output: z.array(Tenant),
  errors: [],
  cli: {
    command: 'tenant list',
    examples: ['studio tenant list', 'studio tenant list --json --fields name,liveKeys'],
    seeAlso: ['tenant create', 'tenant key list'],
  },
  async run(ctx: Context & StorageContext) {
    const rows = await ctx.db.read(listTenantsWithKeyCounts)
    return rows.map(({ id, name, created_at, live_keys }) => ({
      id,
      name,
      liveKeys: Number(live_keys),
      createdAt: formatInstant(created_at),
    }))
  },
})
