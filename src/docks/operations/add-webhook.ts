import * as z from 'zod'
import { findOrCreateTenantId } from '../../access'
import { type Context, hint, inputError, operation, StudioError, suggest } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { insertWebhook, listWebhooks } from '../queries'
import { WebhookAddress, WebhookKey } from '../schemas'
import { createAddressPolicy, type WebhookContext } from '../services/address-policy'
import { formatWebhookSecret, refuseWebhookUrl } from '../services/send-webhook'

/** Each change of an appointment writes a row for each of them. */
const MAX_WEBHOOKS = 20

export const addWebhook = operation({
  id: 'webhooks.add',
  summary: 'Send every change of an appointment to a URL',
  description:
    'Sends each event from now on as a signed POST, as Standard Webhooks specifies: at least once, and in order for each appointment. The secret is shown once.',
  effect: 'write',
  access: 'tenant-admin',
  input: z.strictObject({ url: WebhookAddress }),
  output: WebhookKey,
  errors: ['conflict'],
  http: { method: 'post', path: '/api/webhooks', extension: true },
  cli: {
    command: 'webhook add',
    args: ['url'],
    examples: ['studio webhook add https://tms.example.com/hooks/docks'],
    seeAlso: ['webhook test', 'webhook list', 'webhook remove'],
  },
  run(ctx: Context & StorageContext & WebhookContext, { url }) {
    const refusal = refuseWebhookUrl(url, createAddressPolicy(ctx.webhookNetworks))
    if (refusal !== null) throw inputError([{ path: 'url', message: refusal }])
    return ctx.db.write(async (tx) => {
      const tenantId = await findOrCreateTenantId(ctx, tx)
      const existing = await listWebhooks(tx, tenantId)
      if (existing.length >= MAX_WEBHOOKS)
        throw new StudioError('conflict', `There are already ${MAX_WEBHOOKS} webhooks, which is the maximum.`, {
          hint: hint`Remove one: ${suggest('webhooks.remove', { id: existing[0]!.id })}`,
        })
      const secret = formatWebhookSecret(ctx.ids.secret(44))
      const webhook = { id: ctx.ids.uuid(), tenant_id: tenantId, url, secret, created_at: ctx.clock.now() }
      await insertWebhook(tx, webhook)
      return { id: webhook.id, url, createdAt: formatInstant(webhook.created_at), secret }
    })
  },
})
