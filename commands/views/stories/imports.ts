import type { ResultOf } from '../../../src/catalog'
import { formatAge } from '../../../src/kernel/text/age'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { pluralize } from '../../../src/kernel/text/text'
import type { Colors } from '../../terminal/layout'
import { type Canvas, printableLine, table } from '../../terminal/layout'
import { formatUserTime } from '../../terminal/local-time'

export function renderFeatureImport(answer: ResultOf<'features.import'>, { colors }: Canvas): string {
  const { feature, byType } = answer
  const total = answer.imported + answer.updated + answer.unchanged
  const lines = [
    `${colors.good('✓')} ${colors.strong(printableLine(`${feature.reference} ${feature.title}`))}`,
    `  ${pluralize(total, 'item')}: ${answer.imported} new, ${answer.updated} updated, ${answer.unchanged} unchanged`,
    `  ${Object.entries(byType)
      .map(([type, count]) => `${count} ${printableLine(type)}`)
      .join(', ')}`,
    ...answer.skipped.map(
      ({ reference, reason }) => `  ${colors.warn(printableLine(`skipped ${reference}: ${reason}`))}`,
    ),
    ...answer.notes.map(({ reference, reason }) => `  ${colors.warn(printableLine(`${reference}: ${reason}`))}`),
    ...listStored(answer.attachments, colors).map((line) => `  ${line}`),
  ]
  return `${lines.join('\n')}\n`
}

export function renderFeatureImports(answer: ResultOf<'features.import-many'>, { colors }: Canvas): string {
  const { features, byType } = answer
  const total = answer.imported + answer.updated + answer.unchanged
  const types = Object.entries(byType).map(([type, count]) => `${count} ${printableLine(type)}`)
  const lines = [
    ...features.map(({ reference, title, items, problem }) =>
      problem === null
        ? `${colors.good('✓')} ${printableLine(`${reference} ${title ?? ''}`)}: ${pluralize(items, 'item')}`
        : `${colors.bad('✗')} ${printableLine(`${reference} ${problem}`)}`,
    ),
    `${pluralize(total, 'item')}: ${answer.imported} new, ${answer.updated} updated, ${answer.unchanged} unchanged`,
    ...(types.length > 0 ? [types.join(', ')] : []),
    ...answer.skipped.map(({ reference, reason }) => colors.warn(printableLine(`skipped ${reference}: ${reason}`))),
    ...answer.notes.map(({ reference, reason }) => colors.warn(printableLine(`${reference}: ${reason}`))),
    ...listStored(answer.attachments, colors),
  ]
  return `${lines.join('\n')}\n`
}

export function renderItemImports(answer: ResultOf<'items.import-single'>, { colors }: Canvas): string {
  const lines = [
    ...answer.imported.map(
      (item) =>
        `${colors.good('✓')} ${printableLine(`${item.reference} ${item.title}`)}  ${colors.faint(printableLine(item.state))}`,
    ),
    ...answer.failed.map(({ reference, reason }) => `${colors.bad('✗')} ${printableLine(`${reference} ${reason}`)}`),
    ...listStored(answer.attachments, colors),
  ]
  return `${lines.join('\n')}\n`
}

/** The stored files, and those that were not, if files were asked for. */
function listStored(files: ResultOf<'items.sync'>['attachments'], colors: Colors): string[] {
  if (files === undefined) return []
  const removed = files.removed > 0 ? `, ${files.removed} removed` : ''
  return [
    `attachments: ${files.stored} new, ${files.unchanged} stored before${removed}`,
    ...files.notes.map(({ reference, reason }) => colors.warn(printableLine(`${reference}: ${reason}`))),
  ]
}

type Report = ResultOf<'items.import-file'>
type Row = Report['rows'][number]

const words: Record<Row['outcome'], string> = {
  added: 'added',
  changed: 'changed',
  unchanged: 'unchanged',
  refused: 'refused',
  taken_back: 'not saved',
}

/** The rows that changed something or have a message, then the counts. */
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
  const rows = table(canvas, shown, [
    { title: report.format === 'csv' ? 'LINE' : 'ENTRY', text: (row) => String(row.line), align: 'right' },
    { title: 'ID', text: (row) => (row.id === null ? '' : String(row.id)), align: 'right' },
    { title: '', text: (row) => words[row.outcome], color: (text, row) => tint[row.outcome](text) },
    { title: 'WHAT', text: (row) => row.message ?? row.fields.map(shortFieldName).join(', ') },
  ])
  const notes = report.notes.map((note) => `${colors.warn('!')} ${printableLine(note)}\n`).join('')
  return `${shown.length > 0 ? `${rows}\n` : ''}${notes}${summary(report)}\n`
}

/** `Risk` of `Microsoft.VSTS.Common.Risk`. */
export function shortFieldName(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

function summary({ file, added, changed, unchanged, refused, dryRun, rows }: Report): string {
  const isTakenBack = !dryRun && rows.length > refused && added + changed + unchanged === 0 && refused > 0
  const counts = `${added} added, ${changed} changed, ${unchanged} unchanged, ${refused} refused`
  const of = `${pluralize(rows.length, 'row')} of ${printableLine(file.name)}${file.asOf === null ? '' : `, as of ${file.asOf}`}`
  return `${dryRun ? 'Dry run: nothing was saved. ' : isTakenBack ? 'Nothing was saved. ' : ''}${of}: ${counts}.`
}

export function renderSync(answer: ResultOf<'items.sync'>, canvas: Canvas): string {
  if (answer.checked === 0) return 'There are no cached items to check. Import some: studio import <featureId>\n'
  const { colors } = canvas
  const changes =
    answer.changes.length === 0
      ? ''
      : `${table(canvas, answer.changes, [
          { title: 'ID', text: (change) => toArgument(change.reference), align: 'right' },
          { title: 'REVISION', text: (change) => revisions(change) },
          { title: 'CHANGED', text: (change) => change.fields.map(shortFieldName).join(', ') },
        ])}\n`
  const missing = answer.missing.map(
    ({ reference, reason }) => `${colors.warn(printableLine(`${reference}: ${reason}`))}\n`,
  )
  const counts = [
    `${answer.updated} updated`,
    `${answer.unchanged} unchanged`,
    answer.gone ? `${answer.gone} deleted or hidden (their snapshots are kept)` : '',
    answer.failed ? `${answer.failed} failed` : '',
  ]
  const stored = listStored(answer.attachments, colors)
    .map((line) => `${line}\n`)
    .join('')
  const mark = answer.failed ? colors.bad('✗') : colors.good('✓')
  const unchecked = answer.accessChecked
    ? ''
    : `${colors.warn('Not checked: items that your token can no longer read. To check them: studio item sync --full')}\n`
  return `${changes}${missing.join('')}${unchecked}${mark} ${pluralize(answer.checked, 'item')} checked: ${counts.filter(Boolean).join(', ')}\n${stored}`
}

function revisions({ fromRev, toRev }: { fromRev: number; toRev: number }): string {
  return fromRev === toRev ? String(toRev) : `${fromRev} → ${toRev}`
}

export function renderSyncStatus(answer: ResultOf<'items.sync-status'>, canvas: Canvas): string {
  if (answer.length === 0) return 'There are no cached items. Import some: studio import <featureId>\n'
  const { colors } = canvas
  const age = (seconds: number | null) => (seconds === null ? 'never compared' : `${formatAge(seconds)} old`)
  const rows = table(canvas, answer, [
    { title: 'TRACKER', text: ({ tracker }) => printableLine(tracker) },
    { title: 'ITEMS', text: ({ ageSeconds }) => age(ageSeconds) },
    { title: 'COMPARED', text: ({ checkedAt }) => (checkedAt === null ? '' : formatUserTime(checkedAt)) },
    { title: 'NEXT', text: ({ nextAt }) => (nextAt === null ? 'no service yet' : formatUserTime(nextAt)) },
  ])
  const failures = answer.flatMap(({ tracker, failure, failures }) =>
    failure === null
      ? []
      : [`${colors.warn(printableLine(`${tracker}: failed ${pluralize(failures, 'time')}. ${failure.text}`))}\n`],
  )
  return rows + failures.join('')
}
