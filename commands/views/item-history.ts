import type { z } from 'zod'
import type { listItemHistory } from '../../src/items/operations/list-item-history'
import { type Canvas, printableLine } from '../layout'

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

function differences(changes: readonly Change[], linksChanged: boolean, { paint, width }: Canvas): string {
  const lines = changes.map(({ field, from, to }) => {
    const [before, after] = [shown(from, width), shown(to, width)]
    return `  ${field.slice(field.lastIndexOf('.') + 1)}: ${before} ${paint.faint('→')} ${after}\n`
  })
  return `${lines.join('')}${linksChanged ? '  links differ\n' : ''}`
}

/** On a terminal a long text is cut, with an ellipsis; in a pipe nothing is. */
function shown(value: Change['from'], width: number | null): string {
  if (value === null) return '(empty)'
  const text = printableLine(String(value))
  const longest = width === null ? Number.POSITIVE_INFINITY : Math.max(20, Math.floor(width / 2) - 12)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
