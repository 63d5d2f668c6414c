import { BackgroundWork } from '../../../background/background-work'
import type { Context } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { createAddressPolicy, type WebhookContext } from './address-policy'
import { deliverWebhooks } from './deliver-webhooks'
import { openMailSender } from './send-mail'
import { openWebhookSender } from './send-webhook'

/** Delivers the events of all webhooks until the signal is aborted. */
export async function runDeliverer(ctx: Context & StorageContext & WebhookContext): Promise<void> {
  const sender = openWebhookSender(createAddressPolicy(ctx.webhooks.allowedNetworks))
  const publicUrl = ctx.findPublicUrl()
  const mail = openMailSender(ctx.mail, publicUrl)
  const delivery = new BackgroundWork(ctx, 'the delivery of webhooks', (succeeded) =>
    deliverWebhooks(ctx, { sender, mail, publicUrl, isOnce: false, onLook: succeeded }),
  )
  try {
    await delivery.repeat(0)
  } finally {
    sender.close()
    mail.close()
  }
}
