import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import type { StorageContext } from '../../../storage'
import { resumeWebhook as resume } from '../../queries'
import { Success } from '../../schemas'
import { WebhookId } from '../schemas'
import { requireWebhook } from '../services/webhook-access'

export const resumeWebhook = operation({
  id: 'webhooks.resume',
  summary: 'Resume a webhook that was stopped because its receiver was gone',
  description:
    'A webhook is stopped when its receiver answers with status 410 (Gone). Its events are stored meanwhile and are sent now, in order. A webhook that was not stopped stays as it is.',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({ id: WebhookId }),
  output: Success.extend({ pending: z.int().describe('Events that are sent now') }),
  errors: ['not_found'],
  http: { method: 'post', path: '/api/webhooks/{id}/resume', extension: true },
  cli: {
    command: 'webhook resume',
    args: ['id'],
    examples: ['studio webhook resume 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['webhook list', 'webhook test', 'webhook remove'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(async (tx) => {
      const { url } = await requireWebhook(ctx, tx, id)
      const pending = await resume(tx, id)
      const message = `${url} gets events again. ${pluralize(pending, 'event')} ${pending === 1 ? 'waits' : 'wait'} for it.`
      return { status: 'success' as const, message, pending }
    })
  },
})
