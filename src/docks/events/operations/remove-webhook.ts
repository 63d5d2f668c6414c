import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { deleteWebhook } from '../../queries'
import { Success } from '../../schemas'
import { WebhookId } from '../schemas'
import { requireWebhook } from '../services/webhook-access'

export const removeWebhook = operation({
  id: 'webhooks.remove',
  summary: 'Remove a webhook and the events that it has not accepted',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({ id: WebhookId }),
  output: Success,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/webhooks/{id}', extension: true },
  cli: {
    command: 'webhook remove',
    args: ['id'],
    examples: ['studio webhook remove 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['webhook list', 'webhook add'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(
      async (tx) => {
        const { url } = await requireWebhook(ctx, tx, id)
        await deleteWebhook(tx, id)
        return { status: 'success' as const, message: `Removed the webhook ${url}.` }
      },
      { locksRows: true },
    )
  },
})
