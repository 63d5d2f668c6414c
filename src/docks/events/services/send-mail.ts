import { getSender, type Mail, type MailSettings, openMailServer } from '../../../mail'
import type { WebhookTable } from '../migrations'
import { CODE_PICTURE, composeMail, type DockMail, type MailPeople } from '../rules/appointment-mail'
import { formatEventId } from '../rules/event-types'
import type { FilledMail } from '../rules/fill-mail'
import { CONTACTS, isForContacts, listRecipients, type RecipientChange } from '../rules/mail-recipients'
import type { OwnTemplates } from '../rules/mail-templates'
import { composeOfferMail } from '../rules/offer-mail'
import { createEventLinks, toMailedChange, toRecipientChange } from './event-readers'
import { type DockEvent, isWaitlistEvent } from './read-events'

type Target = Pick<WebhookTable, 'id' | 'secret' | 'url' | 'carrier' | 'body_template'>

/** The recipients that a mail server accepted the mails of an event for, and why it did not for another one. */
export interface FailedMail {
  error: string
  accepted: string[]
}

export interface MailSender {
  /**
   * Sends the mails of an event once, but not to those who got theirs: `accepted`. Returns null if the mail server accepted them, or if the
   * event needs none.
   */
  send(
    target: Target,
    event: DockEvent,
    known: { accepted: readonly string[]; templates: OwnTemplates },
  ): Promise<FailedMail | null>
  /** Sends a test mail, for the contacts of appointments to the sender itself. Returns null if the mail server accepted it. */
  sendTest(target: Pick<WebhookTable, 'url'>): Promise<string | null>
  /** Sends a mail that is about no appointment. Returns null if the mail server accepted it. */
  sendSample(to: string, mail: FilledMail): Promise<string | null>
  close(): void
}

const SENDER_NAME = 'Dock schedule'

/** @param publicUrl where readers reach the service, for the links to answer an offer; null for mails without links. */
export function openMailSender(settings: MailSettings, publicUrl: string | null): MailSender {
  const server = openMailServer(settings)
  const getFrom = () => (settings.from === null ? '' : getSender(settings, SENDER_NAME).address)
  return {
    async send(target, event, { accepted, templates }) {
      const { id, change, compose } = openEvent(target, event, { publicUrl, templates })
      const done = [...accepted]
      const errors: string[] = []
      for (const { to, isLost } of listRecipients(target, change)) {
        if (accepted.includes(to)) continue
        const isOutsider = target.carrier !== null || isForContacts(target)
        const mail = compose({ from: getFrom(), to, isOutsider, isLost })
        const error = mail && (await server.send(to, await drawCode(mail), { senderName: SENDER_NAME, id }))
        if (error === null) done.push(to)
        else errors.push(target.url === CONTACTS ? `${to}: ${error}` : error)
      }
      return errors.length === 0 ? null : { error: errors.join('; '), accepted: done }
    },
    sendTest(target) {
      const isForContacts = target.url === CONTACTS
      const readers = isForContacts ? 'the contacts of each appointment' : 'this address'
      const text = `This is a test message. Changes of appointments will be sent to ${readers}.`
      const mail = { subject: 'Test message of the dock schedule', text, html: `<p>${text}</p>`, invitation: null }
      const to = isForContacts
        ? getFrom()
        : listRecipients({ ...target, carrier: null, body_template: null }, null)[0]!.to
      return server.send(to, mail, { senderName: SENDER_NAME })
    },
    sendSample: (to, mail) => server.send(to, { ...mail, invitation: null }, { senderName: SENDER_NAME }),
    close: server.close,
  }
}

/** What the mails of an event depend on, and how the one for a reader is composed: null if the event sends it none. */
function openEvent(
  target: Target,
  event: DockEvent,
  { publicUrl, templates }: { publicUrl: string | null; templates: OwnTemplates },
): { id: string; change: RecipientChange; compose(people: MailPeople): DockMail | null } {
  const change = toRecipientChange(event)
  if (isWaitlistEvent(event)) {
    return {
      id: `event-${formatEventId('waitlist', event.id)}-${event.data.entry.id}`,
      change,
      compose: ({ to }) => composeOfferMail(event, createEventLinks(event, { publicUrl, target, to }), templates),
    }
  }
  return {
    id: `event-${event.id}-${event.data.appointment.id}`,
    change,
    compose: (people) => composeMail(toMailedChange(event), people, templates),
  }
}

async function drawCode({ code, ...mail }: DockMail): Promise<Mail> {
  if (code == null) return mail
  const { drawQrPng } = await import('../../gate/services/qr-png')
  return { ...mail, picture: { name: CODE_PICTURE, png: drawQrPng(code) } }
}
