import { listLoadFacts } from '../../booking/rules/load'
import type { ListedAppointment } from '../../booking/schemas'

/**
 * iCalendar (RFC 5545). Each appointment is an event, which a calendar identifies by its UID and updates by its SEQUENCE. A published event
 * must have an organizer, and no attendees (RFC 5546, section 3.2.1).
 * @param organizer the address of the sender of invitations; null if none is set
 */
export function formatAppointmentsCalendar(list: readonly ListedAppointment[], organizer: string | null): string {
  return formatCalendar(
    'PUBLISH',
    list.flatMap((entry) => eventLines(entry, [organizerLine(entry, organizer)])),
  )
}

/** What Outlook writes, and accepts, in place of an address that there is not. */
const NO_ADDRESS = 'invalid:nomail'

function organizerLine({ facilityName, facilityCode }: ListedAppointment, address: string | null): string {
  const name = quoteParameter(`${facilityName} (${facilityCode})`)
  return `ORGANIZER;CN=${name}:${address === null ? NO_ADDRESS : `mailto:${address}`}`
}

/** Section 3.2: a value in quotes can contain all but quotes and control characters. */
function quoteParameter(text: string): string {
  return `"${text.replace(/"/g, "'").replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, ' ')}"`
}

export interface Invitation {
  method: 'REQUEST' | 'CANCEL'
  content: string
}

/** The message that adds the appointment to the calendar of `to`, updates it there, or removes it (RFC 5546). */
export function formatInvitation(
  appointment: ListedAppointment,
  { from, to }: { from: string; to: string },
): Invitation {
  const method = appointment.status === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const people = [`ORGANIZER:mailto:${from}`, `ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${to}`]
  return { method, content: formatCalendar(method, eventLines(appointment, people)) }
}

function formatCalendar(method: string, events: readonly string[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//studio//dock appointments//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...events,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldOctets(line)}\r\n`).join('')
}

function eventLines(entry: ListedAppointment, people: readonly string[] = []): string[] {
  const what = entry.type === 'pickup' ? 'Pickup' : 'Delivery'
  const facts = [
    `Carrier: ${entry.carrierName}`,
    `Reference: ${entry.referenceNumber}`,
    ...listLoadFacts(entry).map(([label, value]) => `${label}: ${value}`),
    ...(entry.status === 'completed' ? ['Completed'] : []),
  ]
  return [
    'BEGIN:VEVENT',
    `UID:${entry.id}@studio`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${formatUtc(entry.updatedAt)}`,
    `LAST-MODIFIED:${formatUtc(entry.updatedAt)}`,
    `DTSTART:${formatUtc(entry.startTime)}`,
    `DTEND:${formatUtc(entry.endTime)}`,
    `SUMMARY:${escapeText(`${what} ${entry.referenceNumber}, ${entry.carrierName}`)}`,
    `LOCATION:${escapeText(`${entry.facilityName} (${entry.facilityCode}), ${entry.doorName}`)}`,
    `DESCRIPTION:${escapeText(facts.join('\n'))}`,
    `STATUS:${entry.status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${entry.status === 'cancelled' ? 'TRANSPARENT' : 'OPAQUE'}`,
    ...people,
    'END:VEVENT',
  ]
}

/** UTC, as `20270301T120000Z`. */
function formatUtc(instant: string): string {
  return instant.replace(/[-:]|\.\d+/g, '')
}

/** Section 3.3.11. Control characters other than line breaks are not allowed in a text. */
function escapeText(text: string): string {
  return text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

const MAX_OCTETS = 75

/** Section 3.1: lines have at most 75 octets, and no character is split. */
function foldOctets(line: string): string {
  let octets = 0
  let text = ''
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}
