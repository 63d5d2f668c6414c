import * as z from 'zod'
import { findTenantId } from '../../../access'
import { type Context, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { listWebhooks as readWebhooks } from '../../queries'
import { Webhook } from '../schemas'

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
    seeAlso: ['webhook add', 'webhook dead-letters'],
  },
  run(ctx: Context & StorageContext) {
    return ctx.db.read(async (tx) => {
      const tenantId = await findTenantId(ctx, tx)
      const webhooks = tenantId === null ? [] : await readWebhooks(tx, tenantId)
      return webhooks.map(({ id, url, facilityId, carrier, createdAt, unaccepted, dead, stoppedAt, stopReason }) => ({
        id,
        url,
        facilityId,
        carrierName: carrier,
        createdAt: formatInstant(createdAt),
        pending: unaccepted - dead,
        dead,
        stoppedAt: stoppedAt === null ? null : formatInstant(stoppedAt),
        stopReason,
      }))
    })
  },
})
