import * as z from 'zod'
import { findOrCreateTenantId } from '../../../access'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { insertWebhook, listWebhooks } from '../../queries'
import { requireFacility } from '../../services/tenant-access'
import { formatEventTypes } from '../rules/event-types'
import { isMailTarget } from '../rules/mail-recipients'
import { Authorization, BodyTemplate, WebhookAddress, WebhookKey } from '../schemas'
import type { WebhookContext } from '../services/address-policy'
import { presentWebhook } from '../services/present-webhook'
import { formatWebhookSecret } from '../services/signed-requests'
import { requireAllowedTarget, requireRequests } from '../services/webhook-access'
import { webhookFilters, webhookFlags } from '../webhook-filters'

/** Each change of an appointment writes a row for each of them. */
const MAX_WEBHOOKS = 20

export const addWebhook = operation({
  id: 'webhooks.add',
  summary: 'Send every change of an appointment, and the offers of the waitlist, to a URL or an e-mail address',
  description:
    'Each event from now on is sent at least once, and the events of an appointment are sent in order. An https address gets a signed POST, as Standard Webhooks specifies; its secret is shown once. A mailto: address gets a mail with an invitation, an update or a cancellation for its calendar; contacts sends it to the contacts of each appointment. The mail of an offer has links to accept and to decline it, if the service has a public address (serve.publicUrl). With a body template, the https address is that of a gateway for text messages: it gets a request for each mail that contacts would get, if the appointment or the entry of the waitlist has a contact phone.',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({
    url: WebhookAddress,
    ...webhookFilters,
    bodyTemplate: BodyTemplate.nullable().optional(),
    authorization: Authorization.nullable().optional(),
  }),
  output: WebhookKey,
  errors: ['conflict', 'not_found'],
  http: { method: 'post', path: '/api/webhooks', extension: true },
  cli: {
    command: 'webhook add',
    args: ['url'],
    flags: webhookFlags,
    examples: [
      'studio webhook add https://tms.example.com/hooks/docks',
      'studio webhook add https://wms.example.com/in --event appointment.checked_in --event appointment.departed',
      'studio webhook add mailto:dispatch@blue.example --carrier "Blue Freight"',
      `studio webhook add https://sms.example.com/messages --body-template '{"to":"{{phone}}","text":"{{text}}"}' --authorization 'Bearer abc123'`,
      'studio webhook add contacts --event appointment.booked --event appointment.rescheduled --event appointment.cancelled',
    ],
    seeAlso: ['webhook test', 'webhook list', 'webhook update', 'webhook remove'],
  },
  run(ctx: Context & StorageContext & WebhookContext, { url, events, facility, carrierName, ...request }) {
    requireAllowedTarget(ctx, url)
    requireRequests(url, request)
    return ctx.db.write(async (tx) => {
      const tenantId = await findOrCreateTenantId(ctx, tx)
      const existing = await listWebhooks(tx, tenantId)
      if (existing.length >= MAX_WEBHOOKS)
        throw new StudioError('conflict', `There are already ${MAX_WEBHOOKS} webhooks, which is the maximum.`, {
          hint: hint`Remove one: ${suggest('webhooks.remove', { id: existing[0]!.id })}`,
        })
      const found = facility == null ? null : await requireFacility(ctx, tx, parseFacilityName(facility))
      const webhook = {
        id: ctx.ids.uuid(),
        tenant_id: tenantId,
        url,
        secret: formatWebhookSecret(ctx.ids.secret(44)),
        previous_secret: null,
        previous_secret_until: null,
        facility_id: found?.id ?? null,
        carrier: carrierName ?? null,
        event_kinds: formatEventTypes(events ?? null),
        body_template: request.bodyTemplate ?? null,
        authorization: request.authorization ?? null,
        created_at: ctx.clock.now(),
        stopped_at: null,
        stop_reason: null,
      }
      await insertWebhook(tx, webhook)
      return { ...presentWebhook(webhook, webhook.created_at), secret: isMailTarget({ url }) ? null : webhook.secret }
    })
  },
})
