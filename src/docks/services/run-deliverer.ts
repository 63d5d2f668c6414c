import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../kernel'
import { SECOND_MS } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { createAddressPolicy, type WebhookContext } from './address-policy'
import { deliverWebhooks } from './deliver-webhooks'
import { openMailSender } from './send-mail'
import { openWebhookSender } from './send-webhook'

const PAUSE_AFTER_ERROR_MS = 10 * SECOND_MS

/** Delivers the events of all webhooks until the signal is aborted. After an error, such as a lost database, it begins again. */
export async function runDeliverer(ctx: Context & StorageContext & WebhookContext): Promise<void> {
  const sender = openWebhookSender(createAddressPolicy(ctx.webhooks.allowedNetworks))
  const mail = openMailSender(ctx.mail)
  try {
    while (!ctx.signal.aborted) {
      try {
        await deliverWebhooks(ctx, { sender, mail, isOnce: false })
      } catch (error) {
        ctx.log.error('the delivery of webhooks failed and begins again', { cause: error })
        await sleep(PAUSE_AFTER_ERROR_MS, undefined, { signal: ctx.signal }).catch(() => {})
      }
    }
  } finally {
    sender.close()
    mail.close()
  }
}
