import type { ResultOf } from '../../../src/catalog'
import { describeValue } from '../../../src/docks/booking/rules/load'
import { formatState, nameChange } from '../../../src/docks/visits/rules/appointment-steps'
import { pluralize } from '../../../src/kernel/text/text'
import type { PartView } from '../../operation/command-parts'
import { type Canvas, facts, printableLine } from '../../terminal/layout'
import { formatDateTimeAt, formatTimeAt, loadFacts } from './appointment'

type Shown = ResultOf<'appointments.get'>

export function renderAppointment(shown: Shown, canvas: Canvas): string {
  const { visit, timeZone } = shown
  const text = (value: string | null) => value && printableLine(value)
  const minutes = (count: number | null) => (count === null ? null : pluralize(count, 'minute'))
  const details = facts(canvas, [
    ['Appointment', shown.id],
    ['Reference', text(shown.referenceNumber)],
    ['Facility', printableLine(`${shown.facilityName} (${shown.facilityCode})`)],
    ['Door', text(shown.doorName)],
    [
      'Start',
      `${formatDateTimeAt(shown.startTime, timeZone)} to ${formatTimeAt(shown.endTime, timeZone)} (${timeZone})`,
    ],
    ['Length', minutes(shown.durationMinutes)],
    ['Type', shown.type],
    ['Carrier', text(shown.carrierName)],
    ...loadFacts(shown),
    ['Status', formatState(shown)],
    ['Driver', text(visit.driverName)],
    ['Plate', text(visit.licensePlate)],
    ['Seal', text(visit.sealNumber)],
    ['Arrival', describeArrival(visit)],
    ['Wait', minutes(visit.waitMinutes)],
    ['At the door', minutes(visit.turnMinutes)],
    ['Dwell', minutes(visit.dwellMinutes)],
    ['Detention', minutes(visit.detentionMinutes || null)],
  ])
  const steps = visit.steps.map(({ step, at, note }) => {
    const said = note === null ? '' : `  ${canvas.colors.faint(printableLine(note))}`
    return `${formatDateTimeAt(at, timeZone)}  ${nameChange(step)}${said}\n`
  })
  return steps.length === 0 ? details : `${details}\n${steps.join('')}`
}

function describeArrival({ arrival, minutesAfterStart: after }: Shown['visit']): string | null {
  if (arrival === null || after === null) return null
  const distance =
    after === 0 ? 'at the start' : `${pluralize(Math.abs(after), 'minute')} ${after < 0 ? 'before' : 'after'} the start`
  return `${arrival.replace('_', ' ')}, ${distance}`
}

type Change = ResultOf<'appointments.history'>[number]

/** One line for each change, and one below it for each field that changed. */
export function renderAppointmentHistory(changes: readonly Change[], canvas: Canvas): string {
  if (changes.length === 0) return 'No changes are recorded.\n'
  const lines = changes.map((change) => renderChange(change, canvas))
  return `${lines.join('')}\n${pluralize(changes.length, 'change')}, times in ${changes[0]!.timeZone}\n`
}

const origins = { hold: 'a hold', import: 'an imported file', series: 'a series' }

function renderChange(change: Change, { colors }: Canvas): string {
  const { kind, at, timeZone, by, note, source, changes } = change
  const origin = source === null ? '' : ` from ${origins[source]}`
  const head = `${formatDateTimeAt(at, timeZone)}  ${colors.strong(nameChange(kind))}${origin}, by ${printableLine(by)}\n`
  const fields = changes
    .filter(({ field }) => field !== 'doorId' && field !== 'step')
    .map(({ field, before, after }) => {
      const [from, to] = [before, after].map((value) => formatValue(field, value, timeZone))
      return `    ${field}: ${from} ${colors.faint('→')} ${to}\n`
    })
  const { driverName, licensePlate, sealNumber, reason, occurredAt } = change
  const said = [
    occurredAt !== at && `at ${formatDateTimeAt(occurredAt, timeZone)}`,
    driverName && `driver ${driverName}`,
    licensePlate && `plate ${licensePlate}`,
    sealNumber && `seal ${sealNumber}`,
    reason && `reason: ${reason}`,
    note,
  ].filter((fact) => typeof fact === 'string')
  return `${head}${said.map((fact) => `    ${printableLine(fact)}\n`).join('')}${fields.join('')}`
}

function formatValue(field: string, value: unknown, timeZone: string): string {
  const text = describeValue(field, value)
  if (text === '') return '(empty)'
  return field.endsWith('Time') ? formatDateTimeAt(text, timeZone) : printableLine(text)
}

type Events = ResultOf<'appointments.events'>

export function renderEvents({ events }: Events): string {
  return events.length === 0 ? 'No changes.\n' : events.map((event) => eventLine(event)).join('')
}

/** A change as it comes; what the stream says about itself is for programs. */
export const renderEvent: PartView = (event) =>
  event.event === 'ready' ? {} : { out: eventLine(event as unknown as Events['events'][number]) }

/** `2027-03-01 06:12  booked  PO-1001  Blue Freight  2027-03-01 09:30 at Door 1  by terminal` */
function eventLine({ event, timestamp, data: { appointment, by } }: Events['events'][number]): string {
  const { referenceNumber, carrierName, startTime, doorName, timeZone } = appointment
  const words = [
    formatDateTimeAt(timestamp, timeZone),
    event.replace('appointment.', ''),
    referenceNumber,
    carrierName,
    `${formatDateTimeAt(startTime, timeZone)} at ${doorName}`,
    `by ${by}`,
  ]
  return `${printableLine(words.join('  '))}\n`
}
