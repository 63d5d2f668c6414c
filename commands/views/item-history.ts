import type { z } from 'zod'
import type { listItemHistory } from '../../src/items/operations/list-item-history'
import { type Canvas, printableLine } from '../layout'
import { isTextChange, renderTextChange } from './text-change'

type Answer = z.infer<typeof listItemHistory.output>
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
