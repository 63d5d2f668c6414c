import type { z } from 'zod'
import type { importFile } from '../../src/items/operations/import-file'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, printableLine, table } from '../layout'

type Report = z.infer<typeof importFile.output>
type Row = Report['rows'][number]

const words: Record<Row['outcome'], string> = {
  added: 'added',
  changed: 'changed',
  unchanged: 'unchanged',
  refused: 'refused',
  taken_back: 'not kept',
}

/** The rows that are more than what was here already, then the counts. */
export function renderFileImport(report: Report, canvas: Canvas): string {
  const { colors } = canvas
  const tint = {
    added: colors.good,
    changed: colors.accent,
    unchanged: colors.faint,
    refused: colors.bad,
    taken_back: colors.faint,
  }
  const shown = report.rows.filter(({ outcome, message }) => outcome !== 'unchanged' || message !== null)
  const rows = table(
    shown,
    [
      { title: report.format === 'csv' ? 'LINE' : 'ENTRY', text: (row) => String(row.line), align: 'right' },
      { title: 'ID', text: (row) => (row.id === null ? '' : String(row.id)), align: 'right' },
      { title: '', text: (row) => words[row.outcome], color: (text, row) => tint[row.outcome](text) },
      { title: 'WHAT', text: (row) => row.message ?? row.fields.map(fieldText).join(', ') },
    ],
    canvas,
  )
  const notes = report.notes.map((note) => `${colors.warn('!')} ${printableLine(note)}\n`).join('')
  return `${shown.length > 0 ? `${rows}\n` : ''}${notes}${summary(report)}\n`
}

/** `Microsoft.VSTS.Common.Risk` as people know it. */
function fieldText(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

function summary({ file, added, changed, unchanged, refused, dryRun, rows }: Report): string {
  const isTakenBack = !dryRun && rows.length > refused && added + changed + unchanged === 0 && refused > 0
  const counts = `${added} added, ${changed} changed, ${unchanged} unchanged, ${refused} refused`
  const of = `${pluralize(rows.length, 'row')} of ${printableLine(file.name)}${file.asOf === null ? '' : `, as of ${file.asOf}`}`
  return `${dryRun ? 'Dry run: nothing was kept. ' : isTakenBack ? 'Nothing was kept. ' : ''}${of}: ${counts}.`
}
