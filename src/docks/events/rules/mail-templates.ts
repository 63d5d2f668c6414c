import type { ChangeKind } from '../../visits/rules/appointment-steps'

/** What a mail says, with variables such as `{{reference}}`. */
export interface MailTemplate {
  subject: string
  text: string
}

/** The mails of appointments: the changes that each is about, how its subject begins, and what happened. */
const mails = {
  booked: [['booked'], 'Booked', 'was booked'],
  moved: [['rescheduled', 'swapped'], 'Moved', 'was moved'],
  changed: [['updated'], 'Changed', 'was changed'],
  changed_back: [['undone'], 'Changed', 'was changed back'],
  cancelled: [['cancelled'], 'Cancelled', 'was cancelled'],
  reminder: [['reminded'], 'Reminder', 'begins soon'],
  booked_again: [['reopened'], 'Booked again', 'was booked again'],
  no_show: [['no_show'], 'No-show', 'was recorded as a no-show'],
  turned_away: [['turned_away'], 'Turned away', 'was recorded as turned away'],
} as const satisfies Record<string, readonly [changes: readonly ChangeKind[], title: string, what: string]>

export type MailKind = keyof typeof mails
export const mailKinds = Object.keys(mails) as [MailKind, ...MailKind[]]

/** Null if the change, such as a step at the door, sends none. */
export function findMailKind(change: ChangeKind): MailKind | null {
  return mailKinds.find((kind) => (mails[kind][0] as readonly ChangeKind[]).includes(change)) ?? null
}

export function getDefaultTemplate(kind: MailKind): MailTemplate {
  const [, title, what] = mails[kind]
  return {
    subject: `${title}: {{reference}}, {{start}} at {{facility}}, {{door}}`,
    text: `The appointment {{reference}} ${what}.\n\n{{details}}`,
  }
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
  reference: 'Reference of the appointment',
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
} as const

export type LineVariable = keyof typeof lineVariables
export const DETAILS = 'details'

/** Those of a text. A subject has none with several lines. */
export const textVariables: Record<LineVariable | typeof DETAILS, string> = {
  ...lineVariables,
  [DETAILS]: 'Table of the appointment and its load; not for the subject',
}
