import type { ResultOf } from '../../../src/catalog'
import { listLoadFacts } from '../../../src/docks/booking/rules/load'
import { formatLocalDateTime, formatLocalTime } from '../../../src/docks/rules/zoned-time'
import { formatState } from '../../../src/docks/visits/rules/appointment-steps'
import { pluralize } from '../../../src/kernel/text/text'
import type { Colors } from '../../terminal/layout'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'

type Booked = ResultOf<'appointments.book'>['data']
type Listed = ResultOf<'appointments.list'>[number]

export function renderAppointmentAnswer(
  answer: { message: string; data?: Partial<Booked & Pick<Listed, 'step'>> | readonly unknown[] },
  canvas: Canvas,
): string {
  const { colors } = canvas
  const head = `${colors.good('✓')} ${printableLine(answer.message)}\n`
  const { data } = answer
  if (!data || !('id' in data) || data.id === undefined) return head
  const details = facts(canvas, [
    ['Appointment', data.id],
    ['Reference', data.referenceNumber ? printableLine(data.referenceNumber) : null],
    ['Carrier', data.carrierName ? printableLine(data.carrierName) : null],
    ['Type', data.type ?? null],
    ['Door', data.doorName ? printableLine(data.doorName) : null],
    ['In UTC', data.startTime && data.endTime ? formatUtcSpan(data.startTime, data.endTime) : null],
    ['Length', data.durationMinutes === undefined ? null : `${data.durationMinutes} minutes`],
    ...loadFacts(data),
    ['Status', data.status ? formatState({ status: data.status, step: data.step ?? null }) : null],
  ])
  return `${head}${details}`
}

/** The known fields of a load. */
export function loadFacts(load: Parameters<typeof listLoadFacts>[0]): [label: string, value: string][] {
  return listLoadFacts(load).map(([label, value]) => [label, printableLine(value)])
}

/** `2027-03-01 15:30 to 16:30`. The message says the local time, which needs the facility. */
function formatUtcSpan(startTime: string, endTime: string): string {
  return `${formatDateTimeAt(startTime, 'Etc/UTC')} to ${formatTimeAt(endTime, 'Etc/UTC')}`
}

export function renderAppointments(list: readonly Listed[], canvas: Canvas): string {
  if (list.length === 0) return 'No appointments match. Another day: --from <YYYY-MM-DD> --to <YYYY-MM-DD>\n'
  const rows = table(canvas, list, [
    { title: 'START', text: (entry) => formatDateTimeAt(entry.startTime, entry.timeZone) },
    { title: 'END', text: (entry) => formatTimeAt(entry.endTime, entry.timeZone) },
    { title: 'DOOR', text: (entry) => entry.doorName, shrink: 'cut' },
    { title: 'TYPE', text: (entry) => entry.type },
    { title: 'CARRIER', text: (entry) => entry.carrierName, shrink: 'cut' },
    { title: 'REFERENCE', text: (entry) => entry.referenceNumber },
    {
      title: 'STATUS',
      text: (entry) => formatState(entry),
      color: (text, entry) => statusColor(entry.status, canvas.colors)(text),
    },
    { title: 'ID', text: (entry) => entry.id, below: true },
  ])
  return `${rows}\n${pluralize(list.length, 'appointment')}, times in ${list[0]!.timeZone}\n`
}

/** The appointments of several facilities, each in its own time. */
export function renderFoundAppointments(list: readonly Listed[], canvas: Canvas): string {
  if (list.length === 0) return 'No appointments match. Another day: --from <YYYY-MM-DD> --to <YYYY-MM-DD>\n'
  const rows = table(canvas, list, [
    { title: 'FACILITY', text: (entry) => entry.facilityCode, shrink: 'cut' },
    { title: 'START', text: (entry) => formatDateTimeAt(entry.startTime, entry.timeZone) },
    { title: 'DOOR', text: (entry) => entry.doorName, shrink: 'cut' },
    { title: 'CARRIER', text: (entry) => entry.carrierName, shrink: 'cut', below: true },
    { title: 'REFERENCE', text: (entry) => entry.referenceNumber },
    { title: 'TRAILER', text: (entry) => entry.equipmentId ?? '', shrink: 'cut' },
    {
      title: 'STATUS',
      text: (entry) => formatState(entry),
      color: (text, entry) => statusColor(entry.status, canvas.colors)(text),
    },
  ])
  return `${rows}\n${pluralize(list.length, 'appointment')}, times of each facility\n`
}

type Hold = ResultOf<'holds.list'>[number]

export function renderHoldAnswer({ message, data }: ResultOf<'holds.create'>, canvas: Canvas): string {
  const details = facts(canvas, [
    ['Hold', data.id],
    ['Carrier', data.carrierName === null ? null : printableLine(data.carrierName)],
    ['Type', data.type],
    ['Length', `${data.durationMinutes} minutes`],
    ...loadFacts(data),
  ])
  return `${canvas.colors.good('✓')} ${printableLine(message)}\n${details}`
}

export function renderHolds(list: readonly Hold[], canvas: Canvas): string {
  if (list.length === 0) return 'No slot is held.\n'
  const rows = table(canvas, list, [
    { title: 'START', text: (hold) => formatDateTimeAt(hold.startTime, hold.timeZone) },
    { title: 'END', text: (hold) => formatTimeAt(hold.endTime, hold.timeZone) },
    { title: 'DOOR', text: (hold) => hold.doorName, shrink: 'cut' },
    { title: 'CARRIER', text: (hold) => hold.carrierName ?? '', shrink: 'cut' },
    { title: 'UNTIL', text: (hold) => formatTimeAt(hold.expiresAt, hold.timeZone) },
    { title: 'ID', text: (hold) => hold.id, below: true },
  ])
  return `${rows}\n${pluralize(list.length, 'hold')}, times in ${list[0]!.timeZone}\n`
}

function statusColor(status: Listed['status'], colors: Colors): (text: string) => string {
  return status === 'scheduled' ? colors.accent : status === 'completed' ? colors.good : colors.faint
}

/** An instant on the clock of a zone: `2027-03-01 06:00`. */
export function formatDateTimeAt(instant: string, timeZone: string): string {
  return formatLocalDateTime(timeZone, Date.parse(instant))
}

/** Its time alone: `06:00`. */
export function formatTimeAt(instant: string, timeZone: string): string {
  return formatLocalTime(timeZone, Date.parse(instant))
}

type Report = ResultOf<'appointments.import'>
type Row = Report['rows'][number]

const words: Record<Row['outcome'], string> = {
  booked: 'booked',
  moved: 'moved',
  imported_before: 'imported before',
  refused: 'refused',
  taken_back: 'not booked',
  not_scheduled: 'not scheduled',
}

export function renderImportReport(report: Report, canvas: Canvas): string {
  const { colors } = canvas
  const tint = {
    booked: colors.good,
    moved: colors.warn,
    imported_before: colors.faint,
    refused: colors.bad,
    taken_back: colors.faint,
    not_scheduled: colors.faint,
  }
  const rows = table(canvas, report.rows, [
    { title: 'LINE', text: (row) => String(row.line), align: 'right' },
    { title: 'REFERENCE', text: (row) => row.referenceNumber ?? '' },
    { title: '', text: (row) => words[row.outcome], color: (text, row) => tint[row.outcome](text) },
    { title: 'START', text: (row) => (row.startTime === null ? '' : formatDateTimeAt(row.startTime, row.timeZone!)) },
    { title: 'DOOR', text: (row) => row.doorName ?? '' },
    { title: 'WHY', text: whyOf, shrink: 'wrap', below: true },
  ])
  return `${report.rows.length > 0 ? `${rows}\n` : ''}${summary(report)}\n`
}

/** The documented message says closed for a full day too; `reason` is exact. */
function whyOf({ outcome, status, reason, message }: Row): string {
  if (outcome !== 'imported_before') return reason ?? message ?? ''
  return status === 'scheduled' ? '' : `It is ${status} now. To book it again, add --again`
}

function summary({ imported, moved, importedBefore, refused, dryRun, rows }: Report): string {
  const isTakenBack = rows.some(({ outcome }) => outcome === 'taken_back') || (imported === 0 && refused.length > 0)
  const before = importedBefore > 0 ? `, ${importedBefore} imported before` : ''
  const notScheduled = rows.filter(({ outcome }) => outcome === 'not_scheduled').length
  const ended = notScheduled > 0 ? `, ${notScheduled} not scheduled` : ''
  const counts = `${pluralize(imported, 'row')} ${dryRun ? 'would be booked' : 'booked'}, ${moved} of them at another time${before}${ended}, ${refused.length} refused.`
  return `${dryRun ? 'Dry run: nothing was booked. ' : isTakenBack ? 'Nothing was booked. ' : ''}${counts}`
}
