import { toDialedNumber } from './phone-number'

/** In place of the address of a webhook: the contacts of each appointment get its mails. */
export const CONTACTS = 'contacts'
const MAIL_PREFIX = 'mailto:'

interface Target {
  url: string
  /** The body of a request that sends a text message; null for another webhook. */
  body_template: string | null
  /** Only mails about this carrier; null for all. */
  carrier: string | null
}

/** Whether mails are sent, not requests. */
export function isMailTarget({ url }: Pick<Target, 'url'>): boolean {
  return url === CONTACTS || url.startsWith(MAIL_PREFIX)
}

/** Whether its requests send text messages. */
export function isTextTarget({ body_template }: Pick<Target, 'body_template'>): boolean {
  return body_template !== null
}

/** Whether the contacts of each appointment are its readers. */
export function isForContacts(target: Pick<Target, 'url' | 'body_template'>): boolean {
  return target.url === CONTACTS || isTextTarget(target)
}

interface Recipient {
  /** An e-mail address or a telephone number. */
  to: string
  /** Whether the change took the appointment away: it now belongs to another carrier, or has other contacts. */
  isLost: boolean
}

export interface RecipientChange {
  /** The appointment, or the entry of the waitlist. */
  subject: { carrierName: string; contactEmails: readonly string[] | null; contactPhone: string | null }
  changes: readonly { field: string; before: unknown }[]
}

/** Who gets the mail or the text message of a change; for an address, also without a change. */
export function listRecipients(target: Target, change: RecipientChange | null): Recipient[] {
  const { url, carrier } = target
  const lost = carrier !== null && change !== null && change.subject.carrierName !== carrier
  if (!isForContacts(target)) return [{ to: url.slice(MAIL_PREFIX.length), isLost: lost }]
  if (change === null) return []
  const [contactField, list] = isTextTarget(target)
    ? (['contactPhone', listPhones] as const)
    : (['contactEmails', listAddresses] as const)
  const contacts = list(change.subject[contactField])
  const before = list(change.changes.find(({ field }) => field === contactField)?.before)
  const removed = before.filter((contact) => !contacts.includes(contact))
  return [...contacts.map((to) => ({ to, isLost: lost })), ...removed.map((to) => ({ to, isLost: true }))]
}

const listAddresses = (stored: unknown) => (stored ?? []) as string[]

/** None for a text that is no telephone number. */
function listPhones(stored: unknown): string[] {
  const phone = typeof stored === 'string' ? toDialedNumber(stored) : null
  return phone === null ? [] : [phone]
}
