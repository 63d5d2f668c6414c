import * as z from 'zod'
import { type Context, operation, StudioError } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { Success } from '../../schemas'
import { CONTACTS, isMailTarget } from '../rules/mail-recipients'
import { WebhookId } from '../schemas'
import { createAddressPolicy, type WebhookContext } from '../services/address-policy'
import { openMailSender } from '../services/send-mail'
import { openWebhookSender } from '../services/send-webhook'
import { requireWebhook } from '../services/webhook-access'

export const testWebhook = operation({
  id: 'webhooks.test',
  summary: 'Send a test event or a test mail to a webhook immediately, without retries',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'admin' },
  input: z.strictObject({ id: WebhookId }),
  output: Success,
  errors: ['not_found', 'unavailable'],
  http: { method: 'post', path: '/api/webhooks/{id}/test', extension: true },
  cli: {
    command: 'webhook test',
    args: ['id'],
    examples: ['studio webhook test 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['webhook add', 'webhook list'],
  },
  async run(ctx: Context & StorageContext & WebhookContext, { id }) {
    const webhook = await ctx.db.read((tx) => requireWebhook(ctx, tx, id))
    if (isMailTarget(webhook)) return sendTestMail(ctx, webhook)
    const sender = openWebhookSender(createAddressPolicy(ctx.webhooks.allowedNetworks))
    const now = ctx.clock.now()
    const body = JSON.stringify({ type: 'webhook.test', timestamp: formatInstant(now), data: {} })
    try {
      const failure = await sender.send(webhook, { id: `test_${ctx.ids.uuid()}`, body }, now)
      if (failure === null) return { status: 'success' as const, message: `${webhook.url} accepted the test event.` }
      throw new StudioError('unavailable', `The test event was not accepted: ${failure.error}.`, {
        hint: 'A receiver must answer with a status from 200 to 299 within 10 seconds.',
      })
    } finally {
      sender.close()
    }
  },
})

/** Without an appointment there are no contacts, so their test mail goes to the sender. */
function nameReader({ url }: { url: string }): string {
  return url === CONTACTS ? 'the sender, in place of the contacts of an appointment' : url
}

async function sendTestMail({ mail }: WebhookContext, webhook: { url: string }) {
  const sender = openMailSender(mail, null)
  try {
    const failure = await sender.sendTest(webhook)
    if (failure === null)
      return {
        status: 'success' as const,
        message: `The mail server accepted the test mail to ${nameReader(webhook)}.`,
      }
    throw new StudioError('unavailable', `The test mail was not accepted: ${failure}.`, {
      hint: 'Check STUDIO_SMTP_URL and STUDIO_SMTP_FROM of the service.',
    })
  } finally {
    sender.close()
  }
}
