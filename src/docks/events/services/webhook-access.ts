import { findTenantId } from '../../../access'
import { type Context, hint, inputError, StudioError, suggest } from '../../../kernel'
import { refuseMail } from '../../../mail'
import type { ReadTx } from '../../../storage'
import { findWebhook } from '../../queries'
import type { WebhookTable } from '../migrations'
import { isMailTarget } from '../rules/mail-recipients'
import { createAddressPolicy, type WebhookContext } from './address-policy'
import { refuseWebhookUrl } from './signed-requests'

/** The webhook of the caller's tenant. Throws `not_found` also if it belongs to another one. */
export async function requireWebhook(ctx: Pick<Context, 'actor'>, tx: ReadTx, id: string): Promise<WebhookTable> {
  const tenantId = await findTenantId(ctx, tx)
  const webhook = tenantId && (await findWebhook(tx, tenantId, id))
  if (webhook) return webhook
  throw new StudioError('not_found', `There is no webhook ${id}.`, {
    hint: hint`List the webhooks: ${suggest('webhooks.list')}`,
  })
}

/** Throws `invalid` if one of the fields is given that only requests have. */
export function requireRequests(url: string, fields: { bodyTemplate?: unknown; authorization?: unknown }): void {
  if (!isMailTarget({ url })) return
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  if (given.length > 0) throw inputError(given.map(([path]) => ({ path, message: 'is only for an https address' })))
}

/** Throws `invalid` if nothing can or may be sent to the address. */
export function requireAllowedTarget({ mail, webhooks }: WebhookContext, url: string): void {
  const refusal = isMailTarget({ url })
    ? refuseMail(mail)
    : refuseWebhookUrl(url, createAddressPolicy(webhooks.allowedNetworks))
  if (refusal !== null) throw inputError([{ path: 'url', message: refusal }])
}
