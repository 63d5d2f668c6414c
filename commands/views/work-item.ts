import type { z } from 'zod'
import { htmlToLines } from '../../src/workspace'
import type { getItem } from '../../src/workspace/operations/get-item'
import type { listItems } from '../../src/workspace/operations/list-items'
import { type Canvas, facts, fold, printable, printableLine, table } from '../layout'
import type { Paint } from '../paint'
import { plural } from '../wording'

type Item = z.infer<typeof listItems.output>[number]

export function workItem(item: z.infer<typeof getItem.output>, canvas: Canvas): string {
  const { paint } = canvas
  const parts = [
    `${paint.strong(`#${item.id} ${printableLine(item.title)}`)}\n`,
    facts(
      [
        ['Type', printableLine(item.type)],
        ['State', stateText(item, paint)],
        ['Assigned to', item.assignedTo && printableLine(item.assignedTo.displayName)],
        ['Points', item.storyPoints === null ? null : String(item.storyPoints)],
        ['Priority', item.priority === null ? null : String(item.priority)],
        ['Area', printableLine(item.areaPath)],
        ['Iteration', printableLine(item.iterationPath)],
        ['Tags', printableLine(item.tags.join(', '))],
        ['Parent', item.parentId === null ? null : `#${item.parentId}`],
        [
          'Blocked',
          item.blocked.length ? paint.bad(item.blocked.map((b) => printableLine(b.evidence)).join('; ')) : null,
        ],
        ['Revision', `${item.rev}, fetched ${item.fetchedAt}${item.stale ? ' (from the snapshot)' : ''}`],
        ['Page', printableLine(item.url)],
      ],
      canvas,
    ),
    longText('Description', { text: item.description, format: item.descriptionFormat }, canvas),
    longText('Acceptance criteria', { text: item.acceptanceCriteria, format: item.acceptanceCriteriaFormat }, canvas),
  ]
  return parts.join('')
}

function longText(
  title: string,
  kept: { text: string | null; format: 'html' | 'markdown' | null },
  canvas: Canvas,
): string {
  const lines = kept.format === 'html' ? htmlToLines(kept.text ?? '') : (kept.text ?? '')
  const text = printable(lines)
    .replace(/[ \t\u00a0]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return text ? `\n${canvas.paint.strong(title)}\n${fold(text, canvas.width)}\n` : ''
}

export function workItems(items: readonly Item[], canvas: Canvas): string {
  if (items.length === 0) return 'No work items match. Import some: studio import <featureId>\n'
  const rows = table(
    items,
    [
      { title: 'ID', text: (item) => String(item.id), align: 'right' },
      { title: 'TYPE', text: (item) => item.type },
      { title: 'STATE', text: (item) => item.state, paint: (text, item) => statePaint(item, canvas.paint)(text) },
      { title: 'PTS', text: (item) => (item.storyPoints === null ? '' : String(item.storyPoints)), align: 'right' },
      { title: 'ASSIGNED TO', text: (item) => item.assignedTo?.displayName ?? '' },
      { title: 'TITLE', text: (item) => item.title, shrink: true },
      { title: '', text: (item) => (item.blocked.length ? 'blocked' : ''), paint: (text) => canvas.paint.bad(text) },
    ],
    canvas,
  )
  return `${rows}\n${plural(items.length, 'item')}\n`
}

function stateText(item: Item, paint: Paint): string {
  return statePaint(item, paint)(printableLine(item.state))
}

function statePaint(item: Pick<Item, 'stateCategory'>, paint: Paint): (text: string) => string {
  if (item.stateCategory === 'Completed') return paint.good
  if (item.stateCategory === 'InProgress' || item.stateCategory === 'Resolved') return paint.accent
  return paint.faint
}
