import * as z from 'zod'
import { findTenantId } from '../../../access'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { offerEverywhere } from '../services/waitlist'

export const offerSlots = operation({
  id: 'waitlist.offer',
  summary: 'End expired offers and offer the free slots',
  description:
    'A running service does this every minute. Without one, run this from a scheduler such as cron. An operation that frees a slot also offers it, in the same transaction.',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'clerk' },
  input: z.strictObject({}),
  output: z.object({ offers: z.int().describe('Number of new offers') }),
  errors: [],
  http: { method: 'post', path: '/api/waitlist/offer', extension: true, inParts: true },
  cli: {
    command: 'waitlist offer',
    examples: ['studio waitlist offer'],
    seeAlso: ['waitlist list', 'series materialize'],
  },
  async run(ctx: Context & StorageContext) {
    const tenantId = await ctx.db.read((tx) => findTenantId(ctx, tx))
    return { offers: tenantId === null ? 0 : await offerEverywhere(ctx, { tenantId }) }
  },
})
