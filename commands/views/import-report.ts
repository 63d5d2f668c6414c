import type { z } from 'zod'
import type { importAppointments } from '../../src/docks/operations/import-appointments'
import { type Canvas, table } from '../layout'
import { plural } from '../wording'

type Report = z.infer<typeof importAppointments.output>
type Row = Report['rows'][number]

const words: Record<Row['outcome'], string> = {
  booked: 'booked',
  moved: 'moved',
  refused: 'refused',
  taken_back: 'not booked',
}

export function importReport(report: Report, canvas: Canvas): string {
  const { paint } = canvas
  const tint = { booked: paint.good, moved: paint.warn, refused: paint.bad, taken_back: paint.faint }
  const rows = table(
    report.rows,
    [
      { title: 'LINE', text: (row) => String(row.line), align: 'right' },
      { title: 'REFERENCE', text: (row) => row.referenceNumber ?? '' },
      { title: '', text: (row) => words[row.outcome], paint: (text, row) => tint[row.outcome](text) },
      { title: 'START (UTC)', text: (row) => row.startTime?.slice(0, 16).replace('T', ' ') ?? '' },
      { title: 'DOOR', text: (row) => row.doorName ?? '' },
      { title: 'WHY', text: (row) => row.message ?? '', shrink: true },
    ],
    canvas,
  )
  return `${report.rows.length > 0 ? `${rows}\n` : ''}${summary(report)}\n`
}

function summary({ imported, moved, refused, dryRun, rows }: Report): string {
  const isTakenBack = rows.some(({ outcome }) => outcome === 'taken_back') || (imported === 0 && refused.length > 0)
  const counts = `${plural(imported, 'row')} ${dryRun ? 'would be booked' : 'booked'}, ${moved} of them at another time, ${refused.length} refused.`
  return `${dryRun ? 'Dry run: nothing was booked. ' : isTakenBack ? 'Nothing was booked. ' : ''}${counts}`
}
