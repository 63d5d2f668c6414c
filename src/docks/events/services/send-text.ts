import type { WebhookTable } from '../migrations'
import { describeToReader, type Message } from '../rules/appointment-mail'
import { fillMail } from '../rules/fill-mail'
import { listRecipients } from '../rules/mail-recipients'
import { chooseTemplate, type OwnTemplates } from '../rules/mail-templates'
import { describeOffer } from '../rules/offer-mail'
import { fillBody, isJsonBody, toBodyValues } from '../rules/text-message'
import { createEventLinks, toMailedChange, toRecipientChange } from './event-readers'
import { type DockEvent, isWaitlistEvent } from './read-events'
import type { FailedAttempt, WebhookSender } from './send-webhook'
import type { WebhookMessage } from './signed-requests'

interface TextDelivery {
  sender: WebhookSender
  /** Where readers reach the service; null for messages without links. */
  publicUrl: string | null
  templates: OwnTemplates
  /** The phones whose message of the event the gateway has accepted. */
  accepted: readonly string[]
  /** The same in every attempt. */
  id: string
  sentAt: number
}

/**
 * Sends the text messages of an event once, but not to phones whose message was accepted before. Returns null if the gateway accepted them, or if the event needs
 * none: no contact has a telephone number, or events of its kind send no mail either.
 */
export async function sendTexts(
  target: WebhookTable,
  event: DockEvent,
  { sender, publicUrl, templates, accepted, id, sentAt }: TextDelivery,
): Promise<(FailedAttempt & { accepted: string[] }) | null> {
  const done = [...accepted]
  const failures: FailedAttempt[] = []
  const current = listRecipients(target, toRecipientChange(event))
  for (const [index, { to, isLost }] of current.entries()) {
    if (accepted.includes(to)) continue
    const message = isWaitlistEvent(event)
      ? describeOffer(event, createEventLinks(event, { publicUrl, target, to }))
      : describeToReader(toMailedChange(event), { isOutsider: true, isLost })
    // A receiver takes a repeated ID for a repeated message, so the former contact's one has another.
    const own = index === 0 ? id : `${id}_former`
    const text = message && composeText(target, message, { id: own, phone: to, templates })
    const failure = text && (await sender.send(target, text, sentAt))
    if (failure === null) done.push(to)
    else failures.push(failure)
  }
  if (failures.length === 0) return null
  return { error: failures[0]!.error, isGone: failures.some(({ isGone }) => isGone), accepted: done }
}

/** The request that sends a message to a phone. */
export function composeText(
  { body_template }: Pick<WebhookTable, 'body_template'>,
  { kind, content }: Message,
  { id, phone, templates, prefix = '' }: { id: string; phone: string; templates: OwnTemplates; prefix?: string },
): WebhookMessage {
  const template = body_template!
  const { subject } = fillMail(chooseTemplate(templates, kind), content)
  const body = fillBody(template, toBodyValues(content, { subject: `${prefix}${subject}`, phone }))
  return { id, body, contentType: isJsonBody(template) ? 'application/json' : FORM }
}

const FORM = 'application/x-www-form-urlencoded'
