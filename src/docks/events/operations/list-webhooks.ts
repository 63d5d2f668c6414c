import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { Webhook } from '../schemas'
import { readWebhooks } from '../services/present-webhook'

export const listWebhooks = operation({
  id: 'webhooks.list',
  summary: 'List the webhooks, with the events that they have not accepted',
  effect: 'read',
  access: { docks: 'admin' },
  input: z.strictObject({}),
  output: z.array(Webhook),
  errors: [],
  http: { method: 'get', path: '/api/webhooks', extension: true },
  listOrder: () => ({ id: ({ id }) => id, key: ({ createdAt, id }) => [createdAt, id] }),
  cli: {
    command: 'webhook list',
    examples: ['studio webhook list'],
    seeAlso: ['webhook add', 'webhook update', 'webhook dead-letters'],
  },
  run(ctx: Context & StorageContext) {
    return ctx.db.read((tx) => readWebhooks(ctx, tx))
  },
})
