import type { z } from 'zod'
import type { bookAppointment } from '../../src/docks/operations/book-appointment'
import type { listAppointments } from '../../src/docks/operations/list-appointments'
import { pluralize } from '../../src/kernel/text'
import type { Colors } from '../colors'
import { type Canvas, facts, printableLine, table } from '../layout'
import { formatDateTimeAt, formatTimeAt } from './clock'

type Booked = z.infer<typeof bookAppointment.output>['data']
type Listed = z.infer<typeof listAppointments.output>[number]

/** What was done, and the appointment where the answer holds one. */
export function renderAppointmentAnswer(answer: { message: string; data?: Partial<Booked> }, canvas: Canvas): string {
  const { colors } = canvas
  const head = `${colors.good('✓')} ${printableLine(answer.message)}\n`
  const { data } = answer
  if (!data?.id) return head
  const details = facts(
    [
      ['Appointment', data.id],
      ['Reference', data.referenceNumber ? printableLine(data.referenceNumber) : null],
      ['Carrier', data.carrierName ? printableLine(data.carrierName) : null],
      ['Type', data.type ?? null],
      ['Door', data.doorName ? printableLine(data.doorName) : null],
      ['From', data.startTime ?? null],
      ['To', data.endTime ? `${data.endTime} (${data.durationMinutes} minutes)` : null],
      ['Pallets', data.palletCount == null ? null : String(data.palletCount)],
      ['Status', data.status ?? null],
    ],
    canvas,
  )
  return `${head}${details}`
}

export function renderAppointments(list: readonly Listed[], canvas: Canvas): string {
  if (list.length === 0) return 'No appointments match. Another day: --from <YYYY-MM-DD> --to <YYYY-MM-DD>\n'
  const rows = table(
    list,
    [
      { title: 'START', text: (entry) => formatDateTimeAt(entry.startTime, entry.timeZone) },
      { title: 'END', text: (entry) => formatTimeAt(entry.endTime, entry.timeZone) },
      { title: 'DOOR', text: (entry) => entry.doorName },
      { title: 'TYPE', text: (entry) => entry.type },
      { title: 'CARRIER', text: (entry) => entry.carrierName, shrink: 'cut' },
      { title: 'REFERENCE', text: (entry) => entry.referenceNumber },
      {
        title: 'STATUS',
        text: (entry) => entry.status,
        color: (text, entry) => statusColor(entry.status, canvas.colors)(text),
      },
      { title: 'ID', text: (entry) => entry.id },
    ],
    canvas,
  )
  return `${rows}\n${pluralize(list.length, 'appointment')}, in the time of ${list[0]!.timeZone}\n`
}

function statusColor(status: Listed['status'], colors: Colors): (text: string) => string {
  return status === 'scheduled' ? colors.accent : status === 'completed' ? colors.good : colors.faint
}
