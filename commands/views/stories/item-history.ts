import type { ResultOf } from '../../../src/catalog'
import { toArgument } from '../../../src/kernel/text/item-reference'
import { type Canvas, printableLine } from '../../terminal/layout'
import { shortFieldName } from './imports'
import { isTextChange, renderTextChange } from './text-change'
import { goneText } from './work-item'

type Answer = ResultOf<'items.history'>
type Change = Answer['snapshots'][number]['changes'][number]

export function renderItemHistory(answer: Answer, canvas: Canvas): string {
  const { colors } = canvas
  const gone = answer.goneSince ? `${colors.warn(goneText(answer.goneSince, answer.goneReason))}\n` : ''
  if (answer.comparison) {
    const { from, to, changes, linksChanged } = answer.comparison
    return `${gone}${colors.strong(`Revision ${from} → ${to}`)}\n${renderDifferences(changes, linksChanged, canvas) || '  no differences\n'}`
  }
  const entries = answer.snapshots.map(({ rev, recordedAt, fromFile, changes, linksChanged }, at) => {
    const isFirst = at === answer.snapshots.length - 1
    const said =
      renderDifferences(changes, linksChanged, canvas) || (isFirst ? '  first snapshot\n' : '  no differences\n')
    const seen = fromFile ? `read from ${printableLine(fromFile.name)} ${recordedAt}` : `seen ${recordedAt}`
    return `${colors.strong(rev === 0 ? 'Revision unknown' : `Revision ${rev}`)}  ${colors.faint(seen)}\n${said}`
  })
  return `${gone}${entries.join('')}`
}

function renderDifferences(changes: readonly Change[], linksChanged: boolean, canvas: Canvas): string {
  const inner = { ...canvas, width: canvas.width === null ? null : canvas.width - 4 }
  const lines = changes.map((change) => {
    const name = shortFieldName(change.field)
    if (isTextChange(change)) return `  ${name}:\n${renderTextChange(change, inner).replace(/^(?=.)/gm, '    ')}`
    return `  ${name}: ${formatValue(change.from)} ${canvas.colors.faint('→')} ${formatValue(change.to)}\n`
  })
  return `${lines.join('')}${linksChanged ? '  links changed\n' : ''}`
}

function formatValue(value: Change['from']): string {
  return value === null ? '(empty)' : printableLine(String(value))
}

type Freshness = ResultOf<'items.freshness'>

const messages: Record<Freshness['reason'], (answer: Freshness) => string> = {
  fresh: ({ localRev }) => `The snapshot is up to date: revision ${localRev}.`,
  revision: ({ localRev, remoteRev }) =>
    `The tracker has revision ${remoteRev}, and the snapshot has revision ${localRev}.`,
  relations: ({ localRev }) => `The revision is the same (${localRev}), but the links differ.`,
  'never-fetched': ({ remoteRev, fromFile }) =>
    `${fromFile ? fileText(fromFile) : 'There is no snapshot'}; the tracker has revision ${remoteRev}.`,
}

export function renderFreshness(answer: Freshness, { colors }: Canvas): string {
  const fix = answer.isFresh ? '' : ` To update it: studio item get ${toArgument(printableLine(answer.reference))}`
  const mark = answer.isFresh ? colors.good('✓') : colors.warn('!')
  return `${mark} ${printableLine(answer.reference)} ${messages[answer.reason](answer)}${fix}\n`
}

function fileText({ name, asOf, importedAt }: NonNullable<Freshness['fromFile']>): string {
  return `The snapshot was read from ${printableLine(name)} (${asOf === null ? `imported ${importedAt}` : `as of ${asOf}`}), not from the tracker`
}
