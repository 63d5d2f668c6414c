import { escapeHtml } from '../../../kernel/text/text'
import { listLoadFacts } from '../../booking/rules/load'
import type { ListedAppointment } from '../../booking/schemas'
import { formatLocalTime } from '../../rules/zoned-time'
import type { ChangeKind } from '../../visits/rules/appointment-steps'
import { formatInvitation, type Invitation } from './calendar-file'

/** An e-mail about a change of an appointment. */
export interface AppointmentMail {
  subject: string
  text: string
  html: string
  /** Changes the calendar of the recipient; null if the change is none of the plan. */
  invitation: Invitation | null
}

/** What a mail says of each change. A change without an entry, such as a step at the door, sends none. */
const headings: { [Kind in ChangeKind]?: readonly [subject: string, text: string] } = {
  booked: ['Booked', 'was booked'],
  rescheduled: ['Moved', 'was moved'],
  swapped: ['Moved', 'was moved'],
  updated: ['Changed', 'was changed'],
  reopened: ['Booked again', 'was booked again'],
  cancelled: ['Cancelled', 'was cancelled'],
  no_show: ['No-show', 'was recorded as a no-show'],
  turned_away: ['Turned away', 'was recorded as turned away'],
  undone: ['Changed', 'was changed back'],
}

/** Kinds that do not change the plan, unless they cancel the appointment. */
const notices: readonly ChangeKind[] = ['no_show', 'turned_away']

interface ChangedField {
  field: string
  before: unknown
  after: unknown
}

export interface MailedChange {
  kind: ChangeKind
  /** As the change left it. */
  appointment: ListedAppointment
  changes: readonly ChangedField[]
  reason: string | null
  note: string | null
}

export interface MailPeople {
  from: string
  to: string
  /** Whether the reader belongs to no site: a carrier, or a contact of the appointment. */
  isOutsider: boolean
  /** Whether the change took the appointment away from the reader. */
  isLost: boolean
}

/**
 * The mail of a change; null if it sends none. A reader who lost the appointment gets a cancellation with the appointment as it was.
 */
export function composeMail(
  change: MailedChange,
  { isOutsider, isLost, ...people }: MailPeople,
): AppointmentMail | null {
  const shown = isLost ? takeFrom(change) : change
  const { kind, appointment, changes } = shown
  const heading = headings[kind]
  if (!heading || (kind === 'undone' && !changes.some(({ field }) => field === 'status'))) return null
  // What has changed is only for the site.
  if (isOutsider && kind === 'updated' && changes.length === 0) return null
  const isPlan = !notices.includes(kind) || appointment.status === 'cancelled'
  const [title, what] = heading
  const lines = describe(shown)
  const head = `The appointment ${appointment.referenceNumber} ${what}.`
  const width = Math.max(...lines.map(([name]) => name.length)) + 2
  return {
    subject: toLine(
      `${title}: ${appointment.referenceNumber}, ${formatTime(appointment)} at ${appointment.facilityName}, ${appointment.doorName}`,
    ),
    text: `${toLine(head)}\n\n${lines.map(([name, value]) => `${`${name}: `.padEnd(width)}${value}`).join('\n')}\n`,
    html: formatHtml(toLine(head), lines),
    invitation: isPlan ? formatInvitation(appointment, people) : null,
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

function describe({ appointment, changes, reason, note }: MailedChange): [name: string, value: string][] {
  const before = Object.fromEntries(changes.map((change) => [change.field, change.before]))
  const isMoved = 'startTime' in before || 'doorName' in before
  const facts: [string, string | null][] = [
    ['When', `${formatTime(appointment)} to ${formatClock(appointment.endTime, appointment.timeZone)}`],
    ['Where', `${appointment.facilityName} (${appointment.facilityCode}), ${appointment.doorName}`],
    ['Before', isMoved ? describePlace({ ...appointment, ...before }) : null],
    ['Type', appointment.type],
    ['Carrier', appointment.carrierName],
    ['Reference', appointment.referenceNumber],
    ...listLoadFacts(appointment),
    ['Reason', reason],
    ['Note', note],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, toLine(value)]]))
}

const describePlace = (appointment: ListedAppointment) => `${formatTime(appointment)}, ${appointment.doorName}`

/** `Tue, 17 Nov 2026, 06:00 (America/Chicago)` */
function formatTime({ startTime, timeZone }: ListedAppointment): string {
  const date = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  })
  return `${date.format(new Date(startTime))}, ${formatClock(startTime, timeZone)} (${timeZone})`
}

const formatClock = (instant: string, timeZone: string) => formatLocalTime(timeZone, Date.parse(instant))

/** One line without control characters, so that no text of a booking can add a header or a line. */
function toLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

function formatHtml(head: string, lines: readonly (readonly [string, string])[]): string {
  const rows = lines.map(
    ([name, value]) =>
      `<tr><th align="left" style="padding:2px 16px 2px 0">${name}</th><td>${escapeHtml(value)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><body style="font-family:system-ui,Arial,sans-serif">
<p>${escapeHtml(head)}</p>
<table style="border-collapse:collapse">
${rows.join('\n')}
</table>
</body></html>
`
}
