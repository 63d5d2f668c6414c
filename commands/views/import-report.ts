import type { z } from 'zod'
import type { importAppointments } from '../../src/docks/operations/import-appointments'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, table } from '../layout'

type Report = z.infer<typeof importAppointments.output>
type Row = Report['rows'][number]

const words: Record<Row['outcome'], string> = {
  booked: 'booked',
  moved: 'moved',
  imported_before: 'imported before',
  refused: 'refused',
  taken_back: 'not booked',
}

export function renderImportReport(report: Report, canvas: Canvas): string {
  const { colors } = canvas
  const tint = {
    booked: colors.good,
    moved: colors.warn,
    imported_before: colors.faint,
    refused: colors.bad,
    taken_back: colors.faint,
  }
  const rows = table(
    report.rows,
    [
      { title: 'LINE', text: (row) => String(row.line), align: 'right' },
      { title: 'REFERENCE', text: (row) => row.referenceNumber ?? '' },
      { title: '', text: (row) => words[row.outcome], color: (text, row) => tint[row.outcome](text) },
      { title: 'START (UTC)', text: (row) => row.startTime?.slice(0, 16).replace('T', ' ') ?? '' },
      { title: 'DOOR', text: (row) => row.doorName ?? '' },
      { title: 'WHY', text: whyOf },
    ],
    canvas,
  )
  return `${report.rows.length > 0 ? `${rows}\n` : ''}${summary(report)}\n`
}

/** The report has the message of the documents, which says closed for a full day too. */
function whyOf({ outcome, status, reason, message }: Row): string {
  if (outcome !== 'imported_before') return reason ?? message ?? ''
  return status === 'scheduled' ? '' : `It is ${status} now; to book it again: --again`
}

function summary({ imported, moved, importedBefore, refused, dryRun, rows }: Report): string {
  const isTakenBack = rows.some(({ outcome }) => outcome === 'taken_back') || (imported === 0 && refused.length > 0)
  const before = importedBefore > 0 ? `, ${importedBefore} imported before` : ''
  const counts = `${pluralize(imported, 'row')} ${dryRun ? 'would be booked' : 'booked'}, ${moved} of them at another time${before}, ${refused.length} refused.`
  return `${dryRun ? 'Dry run: nothing was booked. ' : isTakenBack ? 'Nothing was booked. ' : ''}${counts}`
}
