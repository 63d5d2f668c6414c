import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import type { StorageContext } from '../../../storage'
import { reviveDeliveries } from '../../queries'
import { Success } from '../../schemas'
import { parseEventId } from '../rules/event-types'
import { WebhookId } from '../schemas'
import { requireWebhook } from '../services/webhook-access'

export const replayWebhook = operation({
  id: 'webhooks.replay',
  summary: 'Resend the events that a webhook did not accept in any attempt',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: WebhookId,
    eventId: z
      .string()
      .regex(/^w?[1-9]\d{0,14}$/, 'must be the ID of an event, such as 12 or w12')
      .optional()
      .describe('Only this event (default: all dead letters)'),
  }),
  output: Success.extend({ replayed: z.int().describe('Number of events that are sent again') }),
  errors: ['not_found'],
  http: { method: 'post', path: '/api/webhooks/{id}/replay', extension: true },
  cli: {
    command: 'webhook replay',
    args: ['id'],
    flags: { eventId: { name: 'event', value: 'id' } },
    examples: ['studio webhook replay 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['webhook dead-letters', 'webhook list'],
  },
  run(ctx: Context & StorageContext, { id, eventId }) {
    return ctx.db.write(async (tx) => {
      await requireWebhook(ctx, tx, id)
      const replayed = await reviveDeliveries(tx, id, {
        event: eventId === undefined ? null : parseEventId(eventId),
        now: ctx.clock.now(),
      })
      const message =
        replayed === 0 ? 'There is nothing to send again.' : `${pluralize(replayed, 'event')} will be sent again.`
      return { status: 'success' as const, message, replayed }
    })
  },
})
