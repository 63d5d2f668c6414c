import type { z } from 'zod'
import type { listItemHistory } from '../../src/items/operations/list-item-history'
import { type Canvas, printableLine } from '../layout'
import { isTextChange, textChange } from './text-change'

type Answer = z.infer<typeof listItemHistory.output>
type Change = Answer['snapshots'][number]['changes'][number]

export function itemHistory(answer: Answer, canvas: Canvas): string {
  const { paint } = canvas
  const gone = answer.goneSince ? `${paint.warn(`The tracker does not show it since ${answer.goneSince}.`)}\n` : ''
  if (answer.comparison) {
    const { from, to, changes, linksChanged } = answer.comparison
    return `${gone}${paint.strong(`Revision ${from} → ${to}`)}\n${differences(changes, linksChanged, canvas) || '  nothing differs\n'}`
  }
  const entries = answer.snapshots.map(({ rev, recordedAt, fromFile, changes, linksChanged }, at) => {
    const isFirst = at === answer.snapshots.length - 1
    const said = differences(changes, linksChanged, canvas) || (isFirst ? '  first snapshot\n' : '  nothing differs\n')
    const seen = fromFile ? `read from ${printableLine(fromFile.name)} ${recordedAt}` : `seen ${recordedAt}`
    return `${paint.strong(rev === 0 ? 'Revision not told' : `Revision ${rev}`)}  ${paint.faint(seen)}\n${said}`
  })
  return `${gone}${entries.join('')}`
}

function differences(changes: readonly Change[], linksChanged: boolean, canvas: Canvas): string {
  const inner = { ...canvas, width: canvas.width === null ? null : canvas.width - 4 }
  const lines = changes.map((change) => {
    const name = change.field.slice(change.field.lastIndexOf('.') + 1)
    if (isTextChange(change)) return `  ${name}:\n${textChange(change, inner).replace(/^(?=.)/gm, '    ')}`
    return `  ${name}: ${shown(change.from)} ${canvas.paint.faint('→')} ${shown(change.to)}\n`
  })
  return `${lines.join('')}${linksChanged ? '  links differ\n' : ''}`
}

function shown(value: Change['from']): string {
  return value === null ? '(empty)' : printableLine(String(value))
}
