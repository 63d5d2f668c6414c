import type { ChangeKind } from '../../visits/rules/appointment-steps'
import { formatInvitation, type Invitation } from './calendar-file'
import { type FilledMail, fillMail } from './fill-mail'
import { type ChangedAppointment, describeChange, type MailContent, toLine } from './mail-content'
import { chooseTemplate, findMailKind, isMailed, type MailKind, type OwnTemplates } from './mail-templates'

/** An e-mail about an event. */
export interface DockMail extends FilledMail {
  /** Changes the calendar of the recipient; null if the event is no change of the plan. */
  invitation: Invitation | null
  /** The text of the QR code that the mail shows: the reference, for the gate. None if no truck is expected. */
  code?: string | null
}

/** The name of the picture with the code. */
export const CODE_PICTURE = 'reference.png'

/** Kinds that do not change the plan, unless they cancel the appointment. */
const notices: readonly ChangeKind[] = ['no_show', 'turned_away']

export interface MailedChange extends ChangedAppointment {
  kind: ChangeKind
}

export interface Reader {
  /** Whether the reader belongs to no site: a carrier, or a contact of the appointment. */
  isOutsider: boolean
  /** Whether the change took the appointment away from the reader. */
  isLost: boolean
}

/** What a reader gets to know of an event, by mail or by text message. */
export interface Message {
  kind: MailKind
  content: MailContent
}

/**
 * The message of a change; null if there is none. A reader who lost the appointment gets a cancellation with the appointment as it was.
 */
export function describeToReader(
  change: MailedChange,
  { isOutsider, isLost }: Reader,
): (Message & { shown: MailedChange }) | null {
  const shown = isLost ? takeFrom(change) : change
  const { kind, changes } = shown
  const fields = changes.map(({ field }) => field)
  const mailKind = findMailKind(`appointment.${kind}`)
  if (mailKind === null || !isMailed(kind, fields, { isOutsider })) return null
  return { kind: mailKind, content: describeChange(shown), shown }
}

export interface MailPeople extends Reader {
  from: string
  to: string
}

export function composeMail(change: MailedChange, people: MailPeople, templates: OwnTemplates): DockMail | null {
  const message = describeToReader(change, people)
  if (message === null) return null
  const { kind, content, shown } = message
  const isPlan = !notices.includes(shown.kind) || shown.appointment.status === 'cancelled'
  const { referenceNumber, status } = shown.appointment
  const isExpected = isPlan && status === 'scheduled'
  const shownCode = isExpected ? { name: CODE_PICTURE, about: toLine(`QR code of ${referenceNumber}`) } : null
  return {
    ...fillMail(chooseTemplate(templates, kind), content, shownCode),
    code: isExpected ? referenceNumber : null,
    invitation: isPlan ? formatInvitation(shown.appointment, people) : null,
  }
}

/** The change as a reader sees it who lost the appointment: without what belongs to others now. */
function takeFrom({ appointment, changes }: MailedChange): MailedChange {
  const former = Object.fromEntries(changes.map(({ field, before }) => [field, before]))
  return {
    kind: 'cancelled',
    appointment: { ...appointment, ...former, status: 'cancelled' },
    changes: [],
    reason: null,
    note: null,
  }
}
