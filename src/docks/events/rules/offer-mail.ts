import type { WaitlistEvent } from '../../waitlist/schemas'
import type { DockMail, Message } from './appointment-mail'
import { fillMail } from './fill-mail'
import { type AnswerLinks, describeWaiting } from './mail-content'
import { chooseTemplate, findMailKind, type OwnTemplates } from './mail-templates'

/** The message about an entry of the waitlist; null if another one says it: an accepted offer is booked, which sends a message. */
export function describeOffer(event: WaitlistEvent, links: AnswerLinks | null): Message | null {
  const kind = findMailKind(event.event)
  if (kind === null || event.data.cause === 'accepted') return null
  return { kind, content: describeWaiting(event, links) }
}

export function composeOfferMail(
  event: WaitlistEvent,
  links: AnswerLinks | null,
  templates: OwnTemplates,
): DockMail | null {
  const message = describeOffer(event, links)
  if (message === null) return null
  return { ...fillMail(chooseTemplate(templates, message.kind), message.content), invitation: null }
}
