import type { ResultOf } from '../../../src/catalog'
import { nameChange } from '../../../src/docks/visits/rules/appointment-steps'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'
import { renderBar } from '../reports/bar'

export type DockReport = ResultOf<'facilities.report'>
type Usage = Pick<DockReport['totals'], 'openMinutes' | 'bookedMinutes' | 'utilization'>
type Spread = DockReport['dwellMinutes']

export function renderDockReport(report: DockReport, canvas: Canvas): string {
  const { colors } = canvas
  const parts = [
    `${colors.strong(printableLine(titleOf(report)))}\n${facts(canvas, listFacts(report))}`,
    table(canvas, report.doors, [
      { title: 'DOOR', text: ({ name }) => name, shrink: 'cut' },
      { title: 'USE', text: (row) => useText(row) },
      { title: 'APPOINTMENTS', text: ({ appointments }) => String(appointments), align: 'right' },
      { title: 'PALLETS', text: ({ pallets }) => String(pallets), align: 'right' },
      { title: 'NO-SHOWS', text: ({ noShows }) => String(noShows), align: 'right' },
    ]),
    table(canvas, listHours(report), [
      { title: 'HOUR', text: ({ hour }) => formatHour(hour) },
      { title: 'USE OF ALL DOORS', text: (row) => useText(row) },
    ]),
  ]
  if (report.carriers.length > 0)
    parts.push(
      table(canvas, report.carriers, [
        { title: 'CARRIER', text: ({ name }) => name, shrink: 'cut' },
        { title: 'APPOINTMENTS', text: ({ appointments }) => String(appointments), align: 'right' },
        { title: 'NOT LATE', text: ({ onTimeShare }) => formatShare(onTimeShare), align: 'right' },
        { title: 'NO-SHOWS', text: ({ noShows }) => String(noShows), align: 'right' },
        { title: 'CANCELLED', text: ({ cancelled }) => String(cancelled), align: 'right' },
        { title: 'DWELL', text: ({ dwellMinutes }) => minutesText(dwellMinutes.median), align: 'right' },
        { title: 'DETENTION', text: ({ detentionMinutes }) => detentionText(detentionMinutes), align: 'right' },
      ]),
    )
  if (report.yard.trailers > 0)
    parts.push(
      table(canvas, report.yard.carriers, [
        { title: 'TRAILERS OF', text: ({ name }) => name, shrink: 'cut' },
        { title: 'ARRIVED', text: ({ trailers }) => String(trailers), align: 'right' },
        { title: 'STILL HERE', text: ({ present }) => String(present), align: 'right' },
        { title: 'MEDIAN STAY', text: ({ dwellHours }) => `${dwellHours.median} h`, align: 'right' },
        { title: 'DETAINED', text: ({ detained }) => String(detained), align: 'right' },
        { title: 'DETENTION', text: ({ detentionMinutes }) => detentionText(detentionMinutes), align: 'right' },
      ]),
    )
  if (report.refused.length > 0)
    parts.push(
      table(canvas, report.refused, [
        { title: 'REFUSED', text: ({ count }) => String(count), align: 'right' },
        { title: 'TYPE', text: ({ type }) => type },
        { title: 'REASON', text: ({ message }) => message, shrink: 'wrap' },
      ]),
    )
  if (report.reasons.length > 0)
    parts.push(
      table(canvas, report.reasons, [
        { title: 'COUNT', text: ({ count }) => String(count), align: 'right' },
        { title: 'CHANGE', text: ({ change }) => nameChange(change) },
        { title: 'REASON', text: ({ reason }) => reason ?? NO_REASON, shrink: 'wrap' },
      ]),
    )
  return parts.join('\n')
}

export const NO_REASON = '(none given)'

export function titleOf({ facilityCode, facilityName, startDate, endDate }: DockReport): string {
  return `${facilityCode} ${facilityName}, ${startDate === endDate ? startDate : `${startDate} to ${endDate}`}`
}

export function listFacts(report: DockReport): [name: string, text: string | null][] {
  const { totals, arrivals } = report
  const { appointments, completed, noShows, turnedAway, cancelled } = totals
  return [
    [
      'Appointments',
      `${appointments}: ${completed} completed, ${pluralize(noShows, 'no-show')}, ${turnedAway} turned away; ${cancelled} cancelled`,
    ],
    ['Pallets', String(totals.pallets)],
    [
      'Use',
      `${formatShare(totals.utilization)} of the open time: ${formatHours(totals.bookedMinutes)} of ${formatHours(totals.openMinutes)}`,
    ],
    [
      'Arrivals',
      arrivals.onTimeShare === null
        ? 'none recorded'
        : `${formatShare(arrivals.onTimeShare)} not late: ${arrivals.early} early, ${arrivals.onTime} on time, ${arrivals.late} late`,
    ],
    ['Wait', spreadText(report.waitMinutes, 'min')],
    ['Turn', spreadText(report.turnMinutes, 'min')],
    ['Dwell', spreadText(report.dwellMinutes, 'min')],
    ['Detention', describeDetention(report.detention, 'truck')],
    ['Yard', report.yard.trailers === 0 ? null : describeYard(report.yard)],
    ['Booked ahead', spreadText(report.leadHours, 'h')],
    ['Time zone', report.timeZone],
  ]
}

function describeYard(yard: DockReport['yard']): string {
  const stay = spreadText(yard.dwellHours, 'h')
  return `${pluralize(yard.trailers, 'trailer')} arrived, ${yard.present} still here; stay ${stay}; ${describeDetention(yard, 'trailer')}`
}

function describeDetention({ detained, detentionMinutes }: DockReport['detention'], noun: string): string {
  if (detained === 0) return `no ${noun} beyond the free time`
  return `${pluralize(detained, noun)} beyond the free time, ${formatHours(detentionMinutes)} together`
}

export function detentionText(minutes: number): string {
  return minutes === 0 ? '-' : formatHours(minutes)
}

/** The use of all doors in each hour of the clock in which one is open or booked. */
export function listHours({ doors }: DockReport): (Usage & { hour: number })[] {
  return Array.from({ length: 24 }, (_, hour) => {
    const used = doors.flatMap(({ hours }) => hours.filter((entry) => entry.hour === hour))
    const sum = (field: 'openMinutes' | 'bookedMinutes') => used.reduce((total, entry) => total + entry[field], 0)
    const [openMinutes, bookedMinutes] = [sum('openMinutes'), sum('bookedMinutes')]
    return { hour, openMinutes, bookedMinutes, utilization: openMinutes === 0 ? null : bookedMinutes / openMinutes }
  }).filter(({ openMinutes, bookedMinutes }) => openMinutes + bookedMinutes > 0)
}

function useText({ utilization }: Usage): string {
  return utilization === null ? 'not open' : `${renderBar(utilization, 10)} ${formatShare(utilization).padStart(4)}`
}

export function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

export function formatShare(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 100)}%`
}

function formatHours(minutes: number): string {
  return `${Math.round(minutes / 6) / 10} h`
}

function spreadText({ count, median, p90, max }: Spread, unit: string): string {
  return count === 0 ? '-' : `median ${median} ${unit}, 90% up to ${p90} ${unit}, longest ${max} ${unit} (${count})`
}

export function minutesText(minutes: number | null): string {
  return minutes === null ? '-' : `${minutes} min`
}
