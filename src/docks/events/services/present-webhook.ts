import type * as z from 'zod'
import { findTenantId } from '../../../access'
import type { Context } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { listWebhooks } from '../../queries'
import type { WebhookTable } from '../migrations'
import { parseEventTypes } from '../rules/event-types'
import type { Webhook, webhookFields } from '../schemas'

/** What can be shown of a webhook at any time, so without its secrets. */
export function presentWebhook(row: WebhookTable, now: number): z.input<z.ZodObject<typeof webhookFields>> {
  const until = row.previous_secret_until
  return {
    id: row.id,
    url: row.url,
    facilityId: row.facility_id,
    carrierName: row.carrier,
    events: parseEventTypes(row.event_kinds),
    bodyTemplate: row.body_template,
    hasAuthorization: row.authorization !== null,
    createdAt: formatInstant(row.created_at),
    previousSecretUntil: until === null || until <= now ? null : formatInstant(until),
  }
}

/** The webhooks of the caller's tenant, with the events that they have not accepted. */
export async function readWebhooks(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: ReadTx,
): Promise<z.input<typeof Webhook>[]> {
  const tenantId = await findTenantId(ctx, tx)
  const webhooks = tenantId === null ? [] : await listWebhooks(tx, tenantId)
  return webhooks.map(({ unaccepted, dead, ...row }) => ({
    ...presentWebhook(row, ctx.clock.now()),
    pending: unaccepted - dead,
    dead,
    stoppedAt: row.stopped_at === null ? null : formatInstant(row.stopped_at),
    stopReason: row.stop_reason,
  }))
}
