import { escapeHtml } from '../../../kernel/text/text'
import { listLoadFacts } from '../../booking/rules/load'
import type { ListedAppointment } from '../../booking/schemas'
import { formatLocalTime } from '../../rules/zoned-time'
import { DETAILS, type LineVariable, type MailTemplate } from './mail-templates'
import { formatVariable, splitTemplate, type TemplatePart } from './template-text'

export interface FilledMail {
  subject: string
  text: string
  html: string
}

/** What a mail says of a change. */
export interface MailFacts {
  /** As the change left it, without what the reader may not see. */
  appointment: ListedAppointment
  changes: readonly { field: string; before: unknown; after: unknown }[]
  reason: string | null
  note: string | null
}

type Fact = readonly [name: string, value: string]

/** The mail of a template. No text of a booking can add a header, a line, a variable or an element of HTML. */
export function fillMail({ subject, text }: MailTemplate, facts: MailFacts): FilledMail {
  const values = readValues(facts)
  const details = listFacts(facts, values)
  const width = Math.max(...details.map(([name]) => name.length)) + 2
  const table = details.map(([name, value]) => `${`${name}: `.padEnd(width)}${value}`).join('\n')
  const parts = fillLines(text, values)
  return {
    subject: toLine(fillLines(subject, values).map(String).join('')),
    text: `${parts.map((part) => (typeof part === 'string' ? part : table)).join('')}\n`,
    html: formatHtml(parts, details),
  }
}

/** The template with the variables of one line filled in, so that what is left is text or the table. */
function fillLines(template: string, values: Record<LineVariable, string>): TemplatePart[] {
  const fill = (part: TemplatePart): TemplatePart => {
    if (typeof part === 'string' || part.variable === DETAILS) return part
    return values[part.variable as LineVariable] ?? formatVariable(part.variable)
  }
  return (splitTemplate(template) ?? [template]).map(fill)
}

function readValues({ appointment, changes, reason, note }: MailFacts): Record<LineVariable, string> {
  const before = Object.fromEntries(changes.map((change) => [change.field, change.before]))
  const isMoved = 'startTime' in before || 'doorName' in before
  const values: Record<LineVariable, string> = {
    reference: appointment.referenceNumber,
    type: appointment.type,
    carrier: appointment.carrierName,
    start: formatTime(appointment),
    end: formatClock(appointment.endTime, appointment.timeZone),
    facility: appointment.facilityName,
    facility_code: appointment.facilityCode,
    door: appointment.doorName,
    before: isMoved ? describePlace({ ...appointment, ...before }) : '',
    reason: reason ?? '',
    note: note ?? '',
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toLine(value)])) as typeof values
}

function listFacts({ appointment }: MailFacts, values: Record<LineVariable, string>): Fact[] {
  const facts: Fact[] = [
    ['When', `${values.start} to ${values.end}`],
    ['Where', `${values.facility} (${values.facility_code}), ${values.door}`],
    ['Before', values.before],
    ['Type', values.type],
    ['Carrier', values.carrier],
    ['Reference', values.reference],
    ...listLoadFacts(appointment),
    ['Reason', values.reason],
    ['Note', values.note],
  ]
  return facts.flatMap(([name, value]): Fact[] => (value === '' ? [] : [[name, toLine(value)]]))
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

/** One line without control characters. */
function toLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** The text with its line breaks, and the facts as a table. */
function formatHtml(parts: readonly TemplatePart[], details: readonly Fact[]): string {
  const blocks: string[] = []
  let text = ''
  const endText = () => {
    const lines = text.trim()
    if (lines !== '') blocks.push(`<p>${escapeHtml(lines).replaceAll('\n', '<br>\n')}</p>`)
    text = ''
  }
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      endText()
      blocks.push(formatTable(details))
    }
  }
  endText()
  return `<!doctype html>
<html><body style="font-family:system-ui,Arial,sans-serif">
${blocks.join('\n')}
</body></html>
`
}

function formatTable(details: readonly Fact[]): string {
  const rows = details.map(
    ([name, value]) =>
      `<tr><th align="left" style="padding:2px 16px 2px 0">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  )
  return `<table style="border-collapse:collapse">\n${rows.join('\n')}\n</table>`
}
