import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { listDeadDeliveries } from '../../queries'
import { Instant } from '../../schemas'
import type { WaitlistEvent } from '../../waitlist/schemas'
import { formatEventId, parseEventId } from '../rules/event-types'
import { WebhookId } from '../schemas'
import { requireWebhook } from '../services/webhook-access'

const DeadLetter = z.object({
  eventId: z.string(),
  event: z.string(),
  timestamp: Instant.describe('When it happened'),
  appointmentId: z.string().nullable().describe('The changed appointment; null for an event of the waitlist'),
  entryId: z.string().nullable().describe('The entry of the waitlist; null for an event of an appointment'),
  attempts: z.int(),
  error: z.string().nullable().describe('Why the last attempt failed'),
  deadAt: Instant.describe('When it was given up'),
})

export const listDeadLetters = operation({
  id: 'webhooks.dead-letters',
  summary: 'List the events that a webhook did not accept in any attempt',
  description: 'The events of appointments and then those of the waitlist, each oldest first.',
  effect: 'read',
  access: { docks: 'admin' },
  input: z.strictObject({ id: WebhookId }),
  output: z.array(DeadLetter),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/webhooks/{id}/dead-letters', extension: true },
  listOrder: () => ({
    id: ({ eventId }) => eventId,
    key: ({ eventId }) => {
      const { source, eventId: number } = parseEventId(eventId)
      return [source, number]
    },
  }),
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
      return dead.map(({ source, eventId, subjectId, kind, at, event, attempts, error, deadAt }) => {
        const happened: Pick<WaitlistEvent, 'event' | 'timestamp'> | null = event && JSON.parse(event)
        return {
          eventId: formatEventId(source, eventId),
          event: happened?.event ?? `appointment.${kind}`,
          timestamp: happened?.timestamp ?? formatInstant(at!),
          appointmentId: happened ? null : subjectId,
          entryId: happened ? subjectId : null,
          attempts,
          error,
          deadAt: formatInstant(deadAt!),
        }
      })
    })
  },
})
