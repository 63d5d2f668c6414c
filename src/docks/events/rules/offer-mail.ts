import type { WaitlistEvent } from '../../waitlist/schemas'
import type { DockMail } from './appointment-mail'
import { fillMail } from './fill-mail'
import { type AnswerLinks, describeWaiting } from './mail-content'
import { chooseTemplate, findMailKind, type OwnTemplates } from './mail-templates'

/** The mail of what happened to an entry of the waitlist; null if another one says it: an accepted offer is booked, which sends a mail. */
export function composeOfferMail(
  event: WaitlistEvent,
  links: AnswerLinks | null,
  templates: OwnTemplates,
): DockMail | null {
  const kind = findMailKind(event.event)
  if (kind === null || event.data.cause === 'accepted') return null
  return { ...fillMail(chooseTemplate(templates, kind), describeWaiting(event, links)), invitation: null }
}
