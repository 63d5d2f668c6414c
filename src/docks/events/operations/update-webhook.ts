import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { updateWebhook as update } from '../../queries'
import { requireFacility } from '../../services/tenant-access'
import type { WebhookTable } from '../migrations'
import { formatEventTypes } from '../rules/event-types'
import { isMailTarget, isTextTarget } from '../rules/mail-recipients'
import { Authorization, BodyTemplate, Webhook, WebhookAddress, WebhookId } from '../schemas'
import type { WebhookContext } from '../services/address-policy'
import { readWebhooks } from '../services/present-webhook'
import { requireAllowedTarget, requireRequests, requireWebhook } from '../services/webhook-access'
import { webhookFilters, webhookFlags } from '../webhook-filters'

/** The flags that remove a value, with the flag that sets it. */
const removalFlags = {
  allEvents: { field: 'events', removes: '--all-events', sets: '--event' },
  allFacilities: { field: 'facility', removes: '--all-facilities', sets: '--facility' },
  withoutAuthorization: {
    field: 'authorization',
    removes: '--without-authorization',
    sets: '--authorization',
  },
  allCarriers: { field: 'carrierName', removes: '--all-carriers', sets: '--carrier' },
} as const

function toChanges(typed: Record<string, unknown>): Record<string, unknown> {
  const changes = { ...typed }
  for (const [name, { field, removes, sets }] of Object.entries(removalFlags)) {
    const isRemoved = changes[name] === true
    delete changes[name]
    if (!isRemoved) continue
    if (changes[field] !== undefined) throw inputError([{ path: removes, message: `cannot be given with ${sets}` }])
    changes[field] = null
  }
  return changes
}

/** Whether the credential of the webhook would be sent to a server that it was not given for. */
function isForAnotherServer({ url, authorization }: WebhookTable, newUrl: string): boolean {
  return authorization !== null && new URL(url).origin !== new URL(newUrl).origin
}

export const updateWebhook = operation({
  id: 'webhooks.update',
  summary: 'Change the URL of a webhook, which events it gets, or its text messages',
  description:
    'Fields that are not given do not change. A changed filter applies to the events from now on. Events that are waiting are sent to the new URL, signed with the same secret. An address on another server needs the authorization again, because it is not sent to a server that it was not given for.',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: WebhookId,
    url: WebhookAddress.optional(),
    ...webhookFilters,
    bodyTemplate: BodyTemplate.optional().describe(
      'Body of the text messages. Only a webhook that was added with one has it',
    ),
    authorization: Authorization.nullable()
      .optional()
      .describe('Value of the header Authorization of each request, which is never shown; null to send none'),
  }),
  output: Webhook,
  errors: ['not_found'],
  http: { method: 'patch', path: '/api/webhooks/{id}', extension: true },
  cli: {
    command: 'webhook update',
    args: ['id'],
    flags: webhookFlags,
    extraFlags: [
      { flag: '--all-events', about: 'Events of all types', standsFor: ['events'] },
      { flag: '--all-facilities', about: 'Events of all facilities', standsFor: ['facility'] },
      { flag: '--all-carriers', about: 'Events of all carriers', standsFor: ['carrierName'] },
      {
        flag: '--without-authorization',
        about: 'Send no header Authorization any more',
        standsFor: ['authorization'],
      },
    ],
    toInput: toChanges,
    examples: [
      'studio webhook update 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --event appointment.booked --event appointment.cancelled',
      'studio webhook update 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --all-events --carrier "Blue Freight"',
    ],
    seeAlso: ['webhook list', 'webhook rotate-secret', 'webhook test'],
  },
  run(ctx: Context & StorageContext & WebhookContext, { id, url, ...changes }) {
    if (url === undefined && Object.values(changes).every((value) => value === undefined))
      throw inputError([{ path: '', message: 'specify at least one field to change' }])
    if (url !== undefined) requireAllowedTarget(ctx, url)
    const { events, facility, carrierName, bodyTemplate, authorization } = changes
    return ctx.db.write(async (tx) => {
      const webhook = await requireWebhook(ctx, tx, id)
      if (url !== undefined && isMailTarget({ url }) !== isMailTarget(webhook)) {
        const kind = isMailTarget(webhook) ? 'an e-mail address' : 'an https address'
        throw inputError([{ path: 'url', message: `must be ${kind}, as before: add a webhook for the other kind` }])
      }
      requireRequests(url ?? webhook.url, { bodyTemplate, authorization })
      if (bodyTemplate !== undefined && !isTextTarget(webhook))
        throw inputError([
          { path: 'bodyTemplate', message: 'is not possible here: the webhook gets events. Add one for text messages' },
        ])
      if (url !== undefined && authorization === undefined && isForAnotherServer(webhook, url))
        throw inputError([
          { path: 'url', message: 'is on another server: give the authorization for it, or remove the authorization' },
        ])
      const found = facility == null ? facility : (await requireFacility(ctx, tx, parseFacilityName(facility))).id
      await update(tx, id, {
        url,
        event_kinds: events === undefined ? undefined : formatEventTypes(events),
        facility_id: found,
        carrier: carrierName,
        body_template: bodyTemplate,
        authorization,
      })
      return (await readWebhooks(ctx, tx)).find((each) => each.id === id)!
    })
  },
})
