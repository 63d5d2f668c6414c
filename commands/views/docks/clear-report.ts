import type { ResultOf } from '../../../src/catalog'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, table } from '../../terminal/layout'
import { formatDateTimeAt } from './appointment'

type Report = ResultOf<'appointments.clear'>
type Entry = Report['results'][number]

/** What happened to each appointment of the cleared dates. */
export function renderClearReport(report: Report, canvas: Canvas): string {
  if (report.results.length === 0) return 'No scheduled appointment matches: nothing to change.\n'
  const { colors } = canvas
  const tint = { moved: colors.good, cancelled: colors.warn, refused: colors.bad, skipped: colors.faint }
  const rows = table(canvas, report.results, [
    { title: 'START', text: ({ startTime }) => formatDateTimeAt(startTime, report.timeZone) },
    { title: 'REFERENCE', text: ({ referenceNumber }) => referenceNumber, shrink: 'cut' },
    { title: '', text: ({ outcome }) => outcome, color: (text, { outcome }) => tint[outcome](text) },
    { title: 'NEW START, OR WHY', text: (entry) => describe(entry, report.timeZone) },
  ])
  return `${rows}\n${summary(report)} Times in ${report.timeZone}.\n`
}

function describe({ newStartTime, newDoorName, message }: Entry, timeZone: string): string {
  return newStartTime === null ? (message ?? '') : `${formatDateTimeAt(newStartTime, timeZone)} at ${newDoorName}`
}

function summary({ dryRun, results, ...counts }: Report): string {
  const parts = (['moved', 'cancelled', 'refused', 'skipped'] as const).flatMap((outcome) =>
    counts[outcome] > 0 ? [`${counts[outcome]} ${outcome}`] : [],
  )
  const verb = dryRun ? 'Dry run: nothing was changed. ' : ''
  return `${verb}${pluralize(results.length, 'appointment')}: ${parts.join(', ')}.`
}
