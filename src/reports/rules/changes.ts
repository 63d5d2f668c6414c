import { type ItemFact, itemFact, type Telling } from './facts'
import type { WorkSpan } from './flow/work-span'
import { isDone, isInProgress, isRemoved, REQUIREMENT_LEVEL, type ReportItem } from './item'
import { daysBefore } from './moments'

/** The period of a briefing that names no other: a usual iteration. */
export const CHANGES_DAYS = 14

export const CHANGES_RULE =
  `Backlog items that were completed, started or created after a date: the one asked for, else ${CHANGES_DAYS} days before \`asOf\`. The ` +
  "tracker's own dates say when, else the snapshots; where neither says, the item is left out. An item is listed once, as the last of the three."

/** What happened to the backlog after a moment. */
export interface Changes {
  since: string
  completed: ItemFact[]
  started: ItemFact[]
  added: ItemFact[]
}

export function changesSince(asOf: string, asked: string | null): string {
  return asked ?? daysBefore(asOf, CHANGES_DAYS)
}

/** The items that may have changed so: the history of others cannot say it. */
export function changedItems(items: readonly ReportItem[], since: string): ReportItem[] {
  return items.filter((item) => item.level === REQUIREMENT_LEVEL && !isRemoved(item) && item.changedAt > since)
}

/** `spans` has an entry for each of `changedItems`, as far as its history tells. */
export function changesOf(
  items: readonly ReportItem[],
  spans: ReadonlyMap<number, WorkSpan>,
  { since, telling }: { since: string; telling: Telling },
): Changes {
  const changes: Changes = { since, completed: [], started: [], added: [] }
  const isAfter = (moment: string | null) => moment !== null && moment > since && moment <= telling.asOf
  for (const item of changedItems(items, since)) {
    const span = spans.get(item.id)
    if (!span) continue
    const { completedAt, startedAt, createdAt } = span
    if (isDone(item) && isAfter(completedAt)) changes.completed.push(itemFact(item, telling))
    else if (isInProgress(item) && isAfter(startedAt)) changes.started.push(itemFact(item, telling))
    else if (isAfter(createdAt)) changes.added.push(itemFact(item, telling))
  }
  return changes
}
