import type { ChangeKind } from '../../visits/rules/appointment-steps'
import { type EventType, isWaitlistType } from './event-types'

/** What a mail says, with variables such as `{{reference}}`. */
export interface MailTemplate {
  subject: string
  text: string
}

interface MailAbout {
  events: readonly EventType[]
  /** How the subject begins. */
  title: string
  /** What the subject names; by default the slot. */
  about?: string
  /** What happened, before the details. */
  what: string
}

const SLOT = '{{reference}}, {{start}} at {{facility}}, {{door}}'
const LEFT = '{{reference}} at {{facility}}'
const ANSWERS = 'Accept it: {{accept_link}}\nDecline it: {{decline_link}}'

/** The mails, with the events that each is about. */
const mails = {
  booked: change(['booked'], 'Booked', 'was booked'),
  moved: change(['rescheduled', 'swapped'], 'Moved', 'was moved'),
  changed: change(['updated'], 'Changed', 'was changed'),
  changed_back: change(['undone'], 'Changed', 'was changed back'),
  cancelled: change(['cancelled'], 'Cancelled', 'was cancelled'),
  reminder: change(['reminded'], 'Reminder', 'begins soon'),
  booked_again: change(['reopened'], 'Booked again', 'was booked again'),
  no_show: change(['no_show'], 'No-show', 'was recorded as a no-show'),
  turned_away: change(['turned_away'], 'Turned away', 'was recorded as turned away'),
  offer: {
    events: ['waitlist.offered'],
    title: 'Slot offered',
    what: `A slot is free for {{reference}}. It is held until {{expires}}.\n\n${ANSWERS}`,
  },
  offer_ended: {
    events: ['waitlist.offer_ended'],
    title: 'Offer ended',
    what: 'The slot that was offered for {{reference}} {{outcome}}. {{reference}} stays on the waitlist.',
  },
  left_waitlist: {
    events: ['waitlist.removed'],
    title: 'Off the waitlist',
    about: LEFT,
    what: '{{reference}} is no longer on the waitlist of {{facility}}: {{outcome}}.',
  },
} as const satisfies Record<string, MailAbout>

function change(kinds: readonly ChangeKind[], title: string, what: string): MailAbout {
  const events = kinds.map((kind): EventType => `appointment.${kind}`)
  return { events, title, what: `The appointment {{reference}} ${what}.` }
}

export type MailKind = keyof typeof mails
export const mailKinds = Object.keys(mails) as [MailKind, ...MailKind[]]

/** Null if the event, such as a step at the door, sends none. */
export function findMailKind(event: EventType): MailKind | null {
  return mailKinds.find((kind) => (mails[kind].events as readonly EventType[]).includes(event)) ?? null
}

/**
 * Whether a change of these fields sends a mail or a text message. Steps that are undone send none. For a reader outside of the site, `fields` are
 * without those that only the site sees.
 */
export function isMailed(
  kind: ChangeKind,
  fields: readonly string[],
  { isOutsider }: { isOutsider: boolean },
): boolean {
  if (findMailKind(`appointment.${kind}`) === null) return false
  if (kind === 'undone') return fields.includes('status')
  return kind !== 'updated' || !isOutsider || fields.length > 0
}

/** Whether the mail is about an entry of the waitlist. */
export function isAboutWaiting(kind: MailKind): boolean {
  return mails[kind].events.some(isWaitlistType)
}

export function getDefaultTemplate(kind: MailKind): MailTemplate {
  const { title, about = SLOT, what }: MailAbout = mails[kind]
  return { subject: `${title}: ${about}`, text: `${what}\n\n{{details}}` }
}

/** What a tenant has in place of the defaults; null for a part that is the default. */
export type OwnTemplates = ReadonlyMap<MailKind, { [Part in keyof MailTemplate]: string | null }>

export function chooseTemplate(own: OwnTemplates, kind: MailKind): MailTemplate {
  const { subject, text } = getDefaultTemplate(kind)
  const found = own.get(kind)
  return { subject: found?.subject ?? subject, text: found?.text ?? text }
}

/** What a template can name. Each is one line, and empty if there is none. */
export const lineVariables = {
  reference: 'Reference of the appointment or of the entry of the waitlist',
  type: 'pickup or delivery',
  carrier: 'Name of the carrier',
  start: 'Date, time and time zone of the start',
  end: 'Time of the end',
  facility: 'Name of the facility',
  facility_code: 'Code of the facility',
  door: 'Name of the door',
  before: 'Time and door before a move',
  reason: 'Reason for the change',
  note: 'Note of the change',
  expires: 'Until when an offered slot is held',
  accept_link: 'Link of the reader to accept an offered slot',
  decline_link: 'Link of the reader to decline an offered slot',
  outcome: 'Why an offer ended, or an entry left the waitlist',
} as const

export type LineVariable = keyof typeof lineVariables

/** Whether its value is the address of a page. */
export function isLinkVariable(name: string): boolean {
  return name === 'accept_link' || name === 'decline_link'
}

export const DETAILS = 'details'

/** Those of a text. A subject has none with several lines. */
export const textVariables: Record<LineVariable | typeof DETAILS, string> = {
  ...lineVariables,
  [DETAILS]: 'Table of the appointment and its load; not for the subject',
}
