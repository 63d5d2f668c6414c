import type { ResultOf } from '../../src/catalog'
import { type Canvas, printableLine } from '../layout'
import { isTextChange, renderTextChange } from './text-change'

type Answer = ResultOf<'items.history'>
type Change = Answer['snapshots'][number]['changes'][number]

export function renderItemHistory(answer: Answer, canvas: Canvas): string {
  const { colors } = canvas
  const gone = answer.goneSince ? `${colors.warn(`The tracker does not show it since ${answer.goneSince}.`)}\n` : ''
  if (answer.comparison) {
    const { from, to, changes, linksChanged } = answer.comparison
    return `${gone}${colors.strong(`Revision ${from} → ${to}`)}\n${renderDifferences(changes, linksChanged, canvas) || '  nothing differs\n'}`
  }
  const entries = answer.snapshots.map(({ rev, recordedAt, fromFile, changes, linksChanged }, at) => {
    const isFirst = at === answer.snapshots.length - 1
    const said =
      renderDifferences(changes, linksChanged, canvas) || (isFirst ? '  first snapshot\n' : '  nothing differs\n')
    const seen = fromFile ? `read from ${printableLine(fromFile.name)} ${recordedAt}` : `seen ${recordedAt}`
    return `${colors.strong(rev === 0 ? 'Revision not told' : `Revision ${rev}`)}  ${colors.faint(seen)}\n${said}`
  })
  return `${gone}${entries.join('')}`
}

function renderDifferences(changes: readonly Change[], linksChanged: boolean, canvas: Canvas): string {
  const inner = { ...canvas, width: canvas.width === null ? null : canvas.width - 4 }
  const lines = changes.map((change) => {
    const name = change.field.slice(change.field.lastIndexOf('.') + 1)
    if (isTextChange(change)) return `  ${name}:\n${renderTextChange(change, inner).replace(/^(?=.)/gm, '    ')}`
    return `  ${name}: ${formatValue(change.from)} ${canvas.colors.faint('→')} ${formatValue(change.to)}\n`
  })
  return `${lines.join('')}${linksChanged ? '  links differ\n' : ''}`
}

function formatValue(value: Change['from']): string {
  return value === null ? '(empty)' : printableLine(String(value))
}

type Freshness = ResultOf<'items.freshness'>

const messages: Record<Freshness['reason'], (answer: Freshness) => string> = {
  fresh: ({ localRev }) => `The snapshot is what the tracker has: revision ${localRev}.`,
  revision: ({ localRev, remoteRev }) => `The tracker has revision ${remoteRev}, the snapshot ${localRev}.`,
  relations: ({ localRev }) => `Revision ${localRev} is the same, and its links differ.`,
  'never-fetched': ({ remoteRev, fromFile }) =>
    `${fromFile ? fileText(fromFile) : 'There is no snapshot'}; the tracker has revision ${remoteRev}.`,
}

export function renderFreshness(answer: Freshness, { colors }: Canvas): string {
  const mend = answer.isFresh ? '' : ` Fetch it: studio item get ${answer.id}`
  const mark = answer.isFresh ? colors.good('✓') : colors.warn('!')
  return `${mark} #${answer.id} ${messages[answer.reason](answer)}${mend}\n`
}

function fileText({ name, asOf, importedAt }: NonNullable<Freshness['fromFile']>): string {
  return `The snapshot was read from ${printableLine(name)} (${asOf === null ? `imported ${importedAt}` : `as of ${asOf}`}), not from the tracker`
}
