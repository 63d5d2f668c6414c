import { findTenantId } from '../../../access'
import { type Context, hint, StudioError, suggest } from '../../../kernel'
import type { ReadTx } from '../../../storage'
import { findWebhook } from '../../queries'
import type { WebhookTable } from '../migrations'

/** The webhook of the caller's tenant. Throws `not_found` also if it belongs to another one. */
export async function requireWebhook(ctx: Pick<Context, 'actor'>, tx: ReadTx, id: string): Promise<WebhookTable> {
  const tenantId = await findTenantId(ctx, tx)
  const webhook = tenantId && (await findWebhook(tx, tenantId, id))
  if (webhook) return webhook
  throw new StudioError('not_found', `There is no webhook ${id}.`, {
    hint: hint`List the webhooks: ${suggest('webhooks.list')}`,
  })
}
