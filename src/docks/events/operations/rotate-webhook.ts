import * as z from 'zod'
import { type Context, inputError, operation, StudioError } from '../../../kernel'
import { formatInstant, HOUR_MS } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { replaceWebhookSecret } from '../../queries'
import { isMailTarget } from '../rules/mail-recipients'
import { previousSecretUntil, WebhookId } from '../schemas'
import { formatWebhookSecret } from '../services/signed-requests'
import { requireWebhook } from '../services/webhook-access'

const MAX_OVERLAP_HOURS = 30 * 24

export const rotateWebhookSecret = operation({
  id: 'webhooks.rotate-secret',
  summary: 'Replace the secret of a webhook and show the new one once',
  description:
    'Until the overlap ends, each event has a signature of both secrets, so that the receiver can change to the new one at any time. After that, the previous secret signs nothing. With an overlap of 0 it ends at once.',
  effect: 'write',
  access: { docks: 'admin' },
  input: z.strictObject({
    id: WebhookId,
    overlapHours: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_HOURS)
      .default(24)
      .describe('How long the previous secret signs too, in hours; 0 to end it at once'),
  }),
  output: z.object({
    id: z.string(),
    secret: z.string().describe('Checks the signature of events. It is shown only now'),
    previousSecretUntil,
  }),
  errors: ['not_found', 'conflict'],
  http: { method: 'post', path: '/api/webhooks/{id}/rotate-secret', extension: true },
  cli: {
    command: 'webhook rotate-secret',
    args: ['id'],
    flags: { overlapHours: { name: 'overlap', value: 'hours' } },
    examples: [
      'studio webhook rotate-secret 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10',
      'studio webhook rotate-secret 3b0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --overlap 72',
    ],
    seeAlso: ['webhook list', 'webhook test', 'webhook update'],
  },
  run(ctx: Context & StorageContext, { id, overlapHours }) {
    return ctx.db.write(async (tx) => {
      const webhook = await requireWebhook(ctx, tx, id)
      if (isMailTarget(webhook))
        throw inputError([{ path: 'id', message: 'is an e-mail address, which has no secret' }])
      const now = ctx.clock.now()
      const until = webhook.previous_secret_until
      if (overlapHours > 0 && until !== null && until > now)
        throw new StudioError(
          'conflict',
          `The previous secret of this webhook is still valid until ${formatInstant(until)}.`,
          {
            hint: 'Wait until then, or end it at once with an overlap of 0 hours.',
          },
        )
      const secret = formatWebhookSecret(ctx.ids.secret(44))
      const overlap =
        overlapHours === 0
          ? { previous_secret: null, previous_secret_until: null }
          : { previous_secret: webhook.secret, previous_secret_until: now + overlapHours * HOUR_MS }
      await replaceWebhookSecret(tx, id, { secret, ...overlap })
      const ends = overlap.previous_secret_until
      return { id, secret, previousSecretUntil: ends === null ? null : formatInstant(ends) }
    })
  },
})
