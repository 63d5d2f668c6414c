import * as z from 'zod'
import { type Context, inputError, operation, StudioError } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { Text } from '../../rules/text'
import { Success } from '../../schemas'
import type { WebhookTable } from '../migrations'
import type { Message } from '../rules/appointment-mail'
import { CONTACTS, isMailTarget, isTextTarget } from '../rules/mail-recipients'
import { toDialedNumber } from '../rules/phone-number'
import { createSampleContent } from '../rules/sample-content'
import { WebhookId } from '../schemas'
import { createAddressPolicy, type WebhookContext } from '../services/address-policy'
import { readOwnTemplates } from '../services/mail-templates'
import { openMailSender } from '../services/send-mail'
import { composeText } from '../services/send-text'
import { openWebhookSender } from '../services/send-webhook'
import { requireWebhook } from '../services/webhook-access'

export const testWebhook = operation({
  id: 'webhooks.test',
  summary: 'Send a test event, a test mail or a test text message immediately, without retries',
  effect: 'write',
  recorded: 'from-start',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: WebhookId,
    phone: Text.max(50)
      .refine((text) => toDialedNumber(text) !== null, 'must be a telephone number, such as +15005550100')
      .optional()
      .describe('Telephone number that gets the sample of a text message; only for a webhook that sends them'),
  }),
  output: Success,
  errors: ['not_found', 'unavailable'],
  http: { method: 'post', path: '/api/webhooks/{id}/test', extension: true },
  cli: {
    command: 'webhook test',
    args: ['id'],
    flags: { phone: { value: 'number' } },
    examples: ['studio webhook test 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['webhook add', 'webhook list'],
  },
  async run(ctx: Context & StorageContext & WebhookContext, { id, phone }) {
    const { webhook, templates } = await ctx.db.read(async (tx) => ({
      webhook: await requireWebhook(ctx, tx, id),
      templates: await readOwnTemplates(ctx, tx),
    }))
    requirePhone(webhook, phone)
    if (isMailTarget(webhook)) return sendTestMail(ctx, webhook)
    const sender = openWebhookSender(createAddressPolicy(ctx.webhooks.allowedNetworks))
    const now = ctx.clock.now()
    const messageId = `test_${ctx.ids.uuid()}`
    const message =
      phone === undefined
        ? { id: messageId, body: JSON.stringify({ type: 'webhook.test', timestamp: formatInstant(now), data: {} }) }
        : composeText(webhook, SAMPLE, { id: messageId, phone: toDialedNumber(phone)!, templates, prefix: 'Test: ' })
    const what = phone === undefined ? 'event' : 'message'
    try {
      const failure = await sender.send(webhook, message, now)
      if (failure === null) return { status: 'success' as const, message: `${webhook.url} accepted the test ${what}.` }
      throw new StudioError('unavailable', `The test ${what} was not accepted: ${failure.error}.`, {
        hint: 'A receiver must answer with a status from 200 to 299 within 10 seconds.',
      })
    } finally {
      sender.close()
    }
  },
})

const SAMPLE: Message = { kind: 'booked', content: createSampleContent('booked') }

function requirePhone(webhook: WebhookTable, phone: string | undefined): void {
  if (isTextTarget(webhook) === (phone !== undefined)) return
  const message =
    phone === undefined
      ? 'must be given: the telephone number that gets the sample'
      : 'is only for a webhook that sends text messages'
  throw inputError([{ path: 'phone', message }])
}

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
