import type { ChangeKind } from '../../visits/rules/appointment-steps'
import type { WaitlistEvent } from '../../waitlist/schemas'
import { createAnswerLinks } from '../../waitlist/services/offer-links'
import type { WebhookTable } from '../migrations'
import type { MailedChange } from '../rules/appointment-mail'
import type { AnswerLinks } from '../rules/mail-content'
import type { RecipientChange } from '../rules/mail-recipients'
import { type AppointmentEvent, type DockEvent, isWaitlistEvent } from './read-events'

/** What decides who gets a mail or a text message of the event. */
export function toRecipientChange(event: DockEvent): RecipientChange {
  return isWaitlistEvent(event)
    ? { subject: event.data.entry, changes: [] }
    : { subject: event.data.appointment, changes: event.data.changes }
}

export function toMailedChange({ event, data }: AppointmentEvent): MailedChange {
  return { kind: event.slice('appointment.'.length) as ChangeKind, ...data }
}

/** The links of a reader to answer the offer of the event; null if there is none, or if the service has no public address. */
export function createEventLinks(
  { data: { offer } }: WaitlistEvent,
  { publicUrl, target, to }: { publicUrl: string | null; target: Pick<WebhookTable, 'id' | 'secret'>; to: string },
): AnswerLinks | null {
  return publicUrl === null || offer === null
    ? null
    : createAnswerLinks(publicUrl, target, { holdId: offer.holdId, to })
}

/** Whether a reader has no use for the event any more: the appointment has begun, or the offer has expired. */
export function isTooLate(event: DockEvent, now: number): boolean {
  if (isWaitlistEvent(event)) {
    const { offer, cause } = event.data
    return offer !== null && cause === null && Date.parse(offer.expiresAt) <= now
  }
  return event.event === 'appointment.reminded' && Date.parse(event.data.appointment.startTime) <= now
}
