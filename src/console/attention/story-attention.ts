import type { ResultOf } from '../../catalog'
import { pluralize } from '../../kernel/text/text'
import type { AttentionEntry } from '../components/attention'
import { html } from '../html'
import { itemName, itemPath } from '../pages/item-path'

/** How many of each kind are shown one by one. */
const SHOWN = 4

/** What of the work items waits for a person: blockers, what has stopped, and what has no estimate. The longest first. */
export function storyAttention({
  blockers,
  staleItems,
  unestimated,
}: Pick<ResultOf<'reports.summary'>, 'blockers' | 'staleItems' | 'unestimated'>): AttentionEntry[] {
  const oldest = [...blockers].sort((a, b) => b.daysSinceChange - a.daysSinceChange || a.id - b.id)
  const more = (count: number, list: string, text: string): AttentionEntry[] =>
    count <= 0 ? [] : [{ tone: 'info', state: `${count} more`, title: text, href: `/console/reports?list=${list}` }]
  return [
    ...oldest.slice(0, SHOWN).map(
      (blocker): AttentionEntry => ({
        tone: 'bad',
        state: 'blocked',
        title: blocker.title,
        href: itemPath(blocker.id),
        about: `${itemName(blocker)}, ${blocker.evidence}, ${pluralize(blocker.daysSinceChange, 'day')} or more`,
        action: open(blocker.id),
      }),
    ),
    ...more(blockers.length - SHOWN, 'blockers', 'All blockers'),
    ...staleItems.slice(0, SHOWN).map(
      (item): AttentionEntry => ({
        tone: 'warn',
        state: 'not changed',
        title: item.title,
        href: itemPath(item.id),
        about: `${itemName(item)}, ${item.state}, ${pluralize(item.daysSinceChange, 'day')}${item.assignedTo === null ? ', assigned to no one' : `, ${item.assignedTo.displayName}`}`,
        action: open(item.id),
      }),
    ),
    ...more(staleItems.length - SHOWN, 'stale', 'All items that have not changed'),
    ...(unestimated.length === 0
      ? []
      : [
          {
            tone: 'info',
            state: 'no estimate',
            title: pluralize(unestimated.length, 'open item'),
            href: '/console/reports?list=unestimated',
            about: 'without story points',
            action: html`<a class="button quiet" href="/console/reports?list=unestimated">Show</a>`,
          } satisfies AttentionEntry,
        ]),
  ]
}

function open(id: number) {
  return html`<a class="button quiet" href="${itemPath(id)}">Open</a>`
}
