import { getSender, type MailSettings, openMailServer } from '../../../mail'
import type { ChangeKind } from '../../visits/rules/appointment-steps'
import type { WebhookTable } from '../migrations'
import { composeMail } from '../rules/appointment-mail'
import type { AppointmentEvent } from './read-events'

export interface MailSender {
  /** Sends the mail of an event once. Returns null if the mail server accepted it, or if the event needs none, or else why it did not. */
  send(target: Pick<WebhookTable, 'url' | 'carrier'>, event: AppointmentEvent): Promise<string | null>
  sendTest(target: Pick<WebhookTable, 'url'>): Promise<string | null>
  close(): void
}

const MAIL_PREFIX = 'mailto:'
const SENDER_NAME = 'Dock schedule'

export function isMailTarget({ url }: Pick<WebhookTable, 'url'>): boolean {
  return url.startsWith(MAIL_PREFIX)
}

export function openMailSender(settings: MailSettings): MailSender {
  const server = openMailServer(settings)
  const addressOf = ({ url }: Pick<WebhookTable, 'url'>) => url.slice(MAIL_PREFIX.length)
  return {
    async send(target, { event, id, data: { appointment, changes, reason, note } }) {
      const to = addressOf(target)
      const kind = event.slice('appointment.'.length) as ChangeKind
      const from = settings.from === null ? '' : getSender(settings, SENDER_NAME).address
      const mail = composeMail({ kind, appointment, changes, reason, note }, { from, to, carrier: target.carrier })
      return mail && server.send(to, mail, { senderName: SENDER_NAME, id: `event-${id}-${appointment.id}` })
    },
    sendTest(target) {
      const text = 'This is a test message. Changes of appointments will be sent to this address.'
      const mail = { subject: 'Test message of the dock schedule', text, html: `<p>${text}</p>`, invitation: null }
      return server.send(addressOf(target), mail, { senderName: SENDER_NAME })
    },
    close: server.close,
  }
}
