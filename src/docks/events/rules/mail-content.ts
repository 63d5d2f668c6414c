import { listLoadFacts } from '../../booking/rules/load'
import type { ListedAppointment } from '../../booking/schemas'
import { formatLocalTime } from '../../rules/zoned-time'
import type { WaitlistEvent } from '../../waitlist/schemas'
import { type LineVariable, lineVariables } from './mail-templates'

export type Fact = readonly [name: string, value: string]

/** What a mail can say: the values of the variables, each on one line, and the load. */
export interface MailContent {
  values: Record<LineVariable, string>
  load: readonly Fact[]
}

/** A change of an appointment that a mail is about. */
export interface ChangedAppointment {
  /** As the change left it, without what the reader may not see. */
  appointment: ListedAppointment
  changes: readonly { field: string; before: unknown; after: unknown }[]
  reason: string | null
  note: string | null
}

export function describeChange({ appointment, changes, reason, note }: ChangedAppointment): MailContent {
  const before = Object.fromEntries(changes.map((change) => [change.field, change.before]))
  const isMoved = 'startTime' in before || 'doorName' in before
  return {
    values: toValues({
      reference: appointment.referenceNumber,
      type: appointment.type,
      carrier: appointment.carrierName,
      start: formatTime(appointment.startTime, appointment.timeZone),
      end: formatClock(appointment.endTime, appointment.timeZone),
      facility: appointment.facilityName,
      facility_code: appointment.facilityCode,
      door: appointment.doorName,
      before: isMoved ? describePlace({ ...appointment, ...before }) : '',
      reason: reason ?? '',
      note: note ?? '',
    }),
    load: listLoadFacts(appointment),
  }
}

/** The links of one reader to answer an offer. */
export interface AnswerLinks {
  accept: string
  decline: string
}

/** In place of links, where the service has no public address. */
const WITHOUT_LINKS: AnswerLinks = { accept: 'please tell the site', decline: 'please tell the site' }

const outcomes: Record<NonNullable<WaitlistEvent['data']['cause']>, string> = {
  declined: 'was declined',
  expired: 'was not accepted in time',
  withdrawn: 'is no longer free',
  accepted: 'the slot was accepted',
  booked: 'it was booked',
  removed: 'it was removed',
  over: 'no slot became free before its last date',
}

export function describeWaiting({ data }: Pick<WaitlistEvent, 'data'>, links: AnswerLinks | null): MailContent {
  const { entry, offer, cause } = data
  const { accept, decline } = links ?? WITHOUT_LINKS
  const isOpen = offer !== null && cause === null
  return {
    values: toValues({
      reference: entry.referenceNumber,
      type: entry.type,
      carrier: entry.carrierName,
      facility: entry.facilityName,
      facility_code: entry.facilityCode,
      ...(offer && {
        start: formatTime(offer.startTime, entry.timeZone),
        end: formatClock(offer.endTime, entry.timeZone),
        door: offer.doorName,
      }),
      ...(isOpen && {
        expires: formatTime(offer.expiresAt, entry.timeZone),
        accept_link: accept,
        decline_link: decline,
      }),
      outcome: cause === null ? '' : outcomes[cause],
    }),
    load: listLoadFacts(entry),
  }
}

/** Without control characters. What is not given is empty. */
function toValues(given: Partial<Record<LineVariable, string>>): Record<LineVariable, string> {
  const names = Object.keys(lineVariables) as LineVariable[]
  return Object.fromEntries(names.map((name) => [name, toLine(given[name] ?? '')])) as Record<LineVariable, string>
}

/** The table of the details, without what is empty. */
export function listFacts({ values, load }: MailContent): Fact[] {
  const place = [`${values.facility} (${values.facility_code})`, values.door]
  const facts: Fact[] = [
    ['When', values.start === '' ? '' : `${values.start} to ${values.end}`],
    ['Where', place.filter((part) => part !== '').join(', ')],
    ['Held until', values.expires],
    ['Before', values.before],
    ['Type', values.type],
    ['Carrier', values.carrier],
    ['Reference', values.reference],
    ...load,
    ['Reason', values.reason],
    ['Note', values.note],
  ]
  return facts.flatMap(([name, value]): Fact[] => (value === '' ? [] : [[name, toLine(value)]]))
}

const describePlace = (appointment: ListedAppointment) =>
  `${formatTime(appointment.startTime, appointment.timeZone)}, ${appointment.doorName}`

/** `Tue, 17 Nov 2026, 06:00 (America/Chicago)` */
function formatTime(instant: string, timeZone: string): string {
  const date = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  })
  return `${date.format(new Date(instant))}, ${formatClock(instant, timeZone)} (${timeZone})`
}

const formatClock = (instant: string, timeZone: string) => formatLocalTime(timeZone, Date.parse(instant))

/** One line without control characters. */
export function toLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
