/** In place of the address of a webhook: the contacts of each appointment get its mails. */
export const CONTACTS = 'contacts'
const MAIL_PREFIX = 'mailto:'

interface Target {
  url: string
  /** Only mails about this carrier; null for all. */
  carrier: string | null
}

/** Whether mails are sent, not requests. */
export function isMailTarget({ url }: Pick<Target, 'url'>): boolean {
  return url === CONTACTS || url.startsWith(MAIL_PREFIX)
}

interface Recipient {
  to: string
  /** Whether the change took the appointment away: it now belongs to another carrier, or has other contacts. */
  isLost: boolean
}

export interface RecipientChange {
  /** The appointment, or the entry of the waitlist. */
  subject: { carrierName: string; contactEmails: readonly string[] | null }
  changes: readonly { field: string; before: unknown }[]
}

/** Who gets the mail of a change; for an address, also without a change. */
export function listRecipients({ url, carrier }: Target, change: RecipientChange | null): Recipient[] {
  const lost = carrier !== null && change !== null && change.subject.carrierName !== carrier
  if (url !== CONTACTS) return [{ to: url.slice(MAIL_PREFIX.length), isLost: lost }]
  if (change === null) return []
  const contactEmails = change.subject.contactEmails ?? []
  const before = change.changes.find(({ field }) => field === 'contactEmails')?.before
  const removed = ((before ?? []) as string[]).filter((address) => !contactEmails.includes(address))
  return [...contactEmails.map((to) => ({ to, isLost: lost })), ...removed.map((to) => ({ to, isLost: true }))]
}
