import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { createAddressPolicy, type WebhookContext } from '../services/address-policy'
import { deliverWebhooks as deliver } from '../services/deliver-webhooks'
import { openMailSender } from '../services/send-mail'
import { openWebhookSender } from '../services/send-webhook'

export const deliverWebhooks = operation({
  id: 'webhooks.deliver',
  summary: 'Send all due events to the webhooks of all tenants, and exit',
  description: 'A running service does this continuously. Without one, run this from a scheduler such as cron.',
  effect: 'write',
  recorded: 'from-start',
  access: 'admin',
  input: z.strictObject({}),
  output: z.object({
    delivered: z.int().describe('Accepted events'),
    failed: z.int().describe('Failed attempts that are repeated later'),
    dead: z.int().describe('Events that were given up'),
    stopped: z.int().describe('Webhooks that were stopped because their receiver is gone'),
    isBusy: z.boolean().describe('True if another process delivers, and this one did nothing'),
  }),
  errors: [],
  cli: {
    command: 'webhook deliver',
    examples: ['studio webhook deliver'],
    seeAlso: ['webhook list', 'webhook dead-letters', 'serve'],
    notice: ({ isBusy }) => (isBusy ? 'Another process delivers the events, such as studio serve.' : null),
  },
  async run(ctx: Context & StorageContext & WebhookContext) {
    const sender = openWebhookSender(createAddressPolicy(ctx.webhooks.allowedNetworks))
    const publicUrl = ctx.findPublicUrl()
    const mail = openMailSender(ctx.mail, publicUrl)
    try {
      const report = await deliver(ctx, { sender, mail, publicUrl, isOnce: true })
      ctx.signal.throwIfAborted()
      return report
    } finally {
      sender.close()
      mail.close()
    }
  },
})
