import * as z from 'zod'
import { type Context, inputError, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { updateWebhook as update } from '../../queries'
import { requireFacility } from '../../services/tenant-access'
import { formatEventTypes } from '../rules/event-types'
import { isMailTarget } from '../rules/mail-recipients'
import { Webhook, WebhookAddress, WebhookId } from '../schemas'
import type { WebhookContext } from '../services/address-policy'
import { readWebhooks } from '../services/present-webhook'
import { requireAllowedTarget, requireWebhook } from '../services/webhook-access'
import { webhookFilterFlags, webhookFilters } from '../webhook-filters'

/** The flags that remove a filter, with the flag that sets it. */
const removalFlags = {
  allEvents: { field: 'events', removes: '--all-events', sets: '--event' },
  allFacilities: { field: 'facility', removes: '--all-facilities', sets: '--facility' },
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

export const updateWebhook = operation({
  id: 'webhooks.update',
  summary: 'Change the URL of a webhook, or which events it gets',
  description:
    'Fields that are not given do not change. A changed filter applies to the events from now on. Events that are waiting are sent to the new URL, signed with the same secret.',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: WebhookId,
    url: WebhookAddress.optional(),
    ...webhookFilters,
  }),
  output: Webhook,
  errors: ['not_found'],
  http: { method: 'patch', path: '/api/webhooks/{id}', extension: true },
  cli: {
    command: 'webhook update',
    args: ['id'],
    flags: webhookFilterFlags,
    extraFlags: [
      { flag: '--all-events', about: 'Events of all types', standsFor: ['events'] },
      { flag: '--all-facilities', about: 'Events of all facilities', standsFor: ['facility'] },
      { flag: '--all-carriers', about: 'Events of all carriers', standsFor: ['carrierName'] },
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
    const { events, facility, carrierName } = changes
    return ctx.db.write(async (tx) => {
      const webhook = await requireWebhook(ctx, tx, id)
      if (url !== undefined && isMailTarget({ url }) !== isMailTarget(webhook)) {
        const kind = isMailTarget(webhook) ? 'an e-mail address' : 'an https address'
        throw inputError([{ path: 'url', message: `must be ${kind}, as before: add a webhook for the other kind` }])
      }
      const found = facility == null ? facility : (await requireFacility(ctx, tx, parseFacilityName(facility))).id
      await update(tx, id, {
        url,
        event_kinds: events === undefined ? undefined : formatEventTypes(events),
        facility_id: found,
        carrier: carrierName,
      })
      return (await readWebhooks(ctx, tx)).find((each) => each.id === id)!
    })
  },
})
