import type { ResultOf } from '../../src/catalog'
import type { StreamEvent } from '../../src/kernel'
import { escapeForTerminal } from '../terminal/format-json'
import { type Canvas, printableLine, table } from '../terminal/layout'

export function renderAudit(list: ResultOf<'audit.list'>, canvas: Canvas): string {
  if (list.length === 0) return 'There are no such entries.\n'
  return table(canvas, list, [
    { title: 'TIME', text: ({ time }) => `${time.slice(0, 10)} ${time.slice(11, 19)}Z` },
    { title: 'WHO', text: ({ who }) => printableLine(who) },
    { title: 'OPERATION', text: ({ operation, times }) => `${operation}${times > 1 ? ` × ${times}` : ''}` },
    { title: 'TARGETS', text: ({ targets }) => printableLine(targets.join(' ')), shrink: 'cut' },
    { title: 'OUTCOME', text: ({ outcome, code }) => (code === null ? outcome : `${outcome}: ${code}`) },
    { title: 'VIA', text: ({ surface }) => surface },
    { title: 'FROM', text: ({ from }) => printableLine(from), below: true },
  ])
}

/** A line of an export. */
export function renderExportedEntry(event: StreamEvent): { out: string } {
  return { out: `${escapeForTerminal(JSON.stringify(event))}\n` }
}
