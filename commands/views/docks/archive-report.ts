import type { ResultOf } from '../../../src/catalog'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, printable, table } from '../../terminal/layout'

export function renderArchiveReport(report: ResultOf<'appointments.archive'>, { colors }: Canvas): string {
  const { file, archived, changed, elsewhere, remaining, before, dryRun } = report
  if (archived + changed + elsewhere === 0) return `No appointment ended before ${before}: nothing to archive.\n`
  const what = pluralize(archived, 'appointment')
  if (dryRun || file === null) return `Dry run: ${what} ended before ${before}. Nothing was changed.\n`
  const rest = [
    changed > 0 && `${pluralize(changed, 'appointment')} changed meanwhile and stayed in the database too.\n`,
    elsewhere > 0 && `Another command moved ${pluralize(elsewhere, 'appointment')} of this file to its own file too.\n`,
    remaining > 0 &&
      `${pluralize(remaining, 'other appointment')} ended before ${before}: archive them to another file.\n`,
  ]
  return `${colors.good('✓')} Moved ${what} to ${printable(file)}\n${rest.filter(Boolean).join('')}`
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
