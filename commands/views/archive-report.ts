import type { ResultOf } from '../../src/catalog'
import { pluralize } from '../../src/kernel/text'
import { type Canvas, printable, table } from '../layout'

export function renderArchiveReport(report: ResultOf<'appointments.archive'>, { colors }: Canvas): string {
  const { file, archived, kept, before, dryRun } = report
  if (archived + kept === 0) return `No appointment ended before ${before}: nothing to archive.\n`
  const what = pluralize(archived, 'appointment')
  if (dryRun || file === null) return `Dry run: ${what} ended before ${before}. Nothing was changed.\n`
  const rest = kept === 0 ? '' : `${pluralize(kept, 'appointment')} changed meanwhile and stayed in the database too.\n`
  return `${colors.good('✓')} Moved ${what} to ${printable(file)}\n${rest}`
}

export function renderUnarchiveReport(report: ResultOf<'appointments.unarchive'>, canvas: Canvas): string {
  const { restored, present, refused, results } = report
  const rest = [present > 0 ? `${present} existed already` : '', refused > 0 ? `${refused} refused` : '']
  const head = [
    `${canvas.colors.good('✓')} Restored ${pluralize(restored, 'appointment')}`,
    ...rest.filter(Boolean),
  ].join('; ')
  const rows = table(canvas, results, [
    { title: 'REFERENCE', text: ({ referenceNumber }) => referenceNumber, shrink: 'cut' },
    { title: 'ID', text: ({ id }) => id },
    { title: 'WHY NOT', text: ({ message }) => message },
  ])
  return `${head}.\n${results.length > 0 ? `\n${rows}` : ''}`
}
