import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { listDeadDeliveries } from '../../queries'
import { Instant } from '../../schemas'
import { WebhookId } from '../schemas'
import { requireWebhook } from '../services/webhook-access'

const DeadLetter = z.object({
  eventId: z.int(),
  event: z.string(),
  timestamp: Instant.describe('When the appointment was changed'),
  appointmentId: z.string(),
  attempts: z.int(),
  error: z.string().nullable().describe('Why the last attempt failed'),
  deadAt: Instant.describe('When it was given up'),
})

export const listDeadLetters = operation({
  id: 'webhooks.dead-letters',
  summary: 'List the events that a webhook did not accept in any attempt',
  description: 'Oldest first.',
  effect: 'read',
  access: { docks: 'admin' },
  input: z.strictObject({ id: WebhookId }),
  output: z.array(DeadLetter),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/webhooks/{id}/dead-letters', extension: true },
  listOrder: () => ({ id: ({ eventId }) => String(eventId), key: ({ eventId }) => [eventId] }),
  cli: {
    command: 'webhook dead-letters',
    args: ['id'],
    examples: ['studio webhook dead-letters 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['webhook replay', 'webhook list'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      await requireWebhook(ctx, tx, id)
      const dead = await listDeadDeliveries(tx, id)
      return dead.map(({ changeId, kind, at, appointmentId, attempts, error, deadAt }) => ({
        eventId: changeId,
        event: `appointment.${kind}`,
        timestamp: formatInstant(at),
        appointmentId,
        attempts,
        error,
        deadAt: formatInstant(deadAt!),
      }))
    })
  },
})
