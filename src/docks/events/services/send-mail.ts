import { getSender, type MailSettings, openMailServer } from '../../../mail'
import type { ChangeKind } from '../../visits/rules/appointment-steps'
import type { WebhookTable } from '../migrations'
import { composeMail } from '../rules/appointment-mail'
import type { FilledMail } from '../rules/fill-mail'
import { CONTACTS, listRecipients } from '../rules/mail-recipients'
import type { OwnTemplates } from '../rules/mail-templates'
import type { AppointmentEvent } from './read-events'

type Target = Pick<WebhookTable, 'url' | 'carrier'>

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
    event: AppointmentEvent,
    known: { accepted: readonly string[]; templates: OwnTemplates },
  ): Promise<FailedMail | null>
  /** Sends a test mail, for the contacts of appointments to the sender itself. Returns null if the mail server accepted it. */
  sendTest(target: Pick<WebhookTable, 'url'>): Promise<string | null>
  /** Sends a mail that is about no appointment. Returns null if the mail server accepted it. */
  sendSample(to: string, mail: FilledMail): Promise<string | null>
  close(): void
}

const SENDER_NAME = 'Dock schedule'

export function openMailSender(settings: MailSettings): MailSender {
  const server = openMailServer(settings)
  const getFrom = () => (settings.from === null ? '' : getSender(settings, SENDER_NAME).address)
  return {
    async send(target, { event, id, data }, { accepted, templates }) {
      const { appointment, changes, reason, note } = data
      const kind = event.slice('appointment.'.length) as ChangeKind
      const done = [...accepted]
      const errors: string[] = []
      for (const { to, isLost } of listRecipients(target, data)) {
        if (accepted.includes(to)) continue
        const change = { kind, appointment, changes, reason, note }
        const isOutsider = target.carrier !== null || target.url === CONTACTS
        const mail = composeMail(change, { from: getFrom(), to, isOutsider, isLost }, templates)
        const error =
          mail && (await server.send(to, mail, { senderName: SENDER_NAME, id: `event-${id}-${appointment.id}` }))
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
      const to = isForContacts ? getFrom() : listRecipients({ ...target, carrier: null }, null)[0]!.to
      return server.send(to, mail, { senderName: SENDER_NAME })
    },
    sendSample: (to, mail) => server.send(to, { ...mail, invitation: null }, { senderName: SENDER_NAME }),
    close: server.close,
  }
}
