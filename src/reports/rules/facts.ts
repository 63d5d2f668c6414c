import { type Blocker, blockersOn } from './blockers'
import type { WorkSpan } from './flow/work-span'
import { isDone, isInProgress, type ReportItem } from './item'
import type { Lineage } from './lineage'
import { daysBefore, daysBetween, UNKNOWN_MOMENT } from './moments'
import { STALE_DAYS } from './risks'

/** For so many days a completed item counts as news. */
export const RECENT_DAYS = 14

export const RECENTLY_COMPLETED_RULE =
  `Completed within ${RECENT_DAYS} days before \`asOf\`, as the tracker's closing date says, else the snapshots; where neither tells, ` +
  'last changed within them. The newest first.'
export const STALE_ITEMS_RULE = `In progress, and neither it nor anything below it has changed for ${STALE_DAYS} days before \`asOf\`; the oldest first.`

export interface ItemFact {
  id: number
  type: string
  level: number | null
  title: string
  state: string
  assignedTo: ReportItem['assignedTo']
  points: number | null
  iterationPath: string
  changedAt: string
  /** Whole days from `changedAt` to `asOf`. */
  daysSinceChange: number
  /** The feature that it belongs to. */
  featureId: number | null
}

export interface CompletedFact extends ItemFact {
  /** Null where neither the tracker nor the snapshots tell: it was at `changedAt` or before. */
  completedAt: string | null
}

export interface BlockerFact extends Blocker {
  type: string
  title: string
  state: string
  featureId: number | null
}

/** What the facts about one item are told with besides the item. */
export interface Telling {
  asOf: string
  featureOf: ReadonlyMap<number, number>
}

/** The items that may have been completed lately: the history of others cannot say so. */
export function changedLately(items: readonly ReportItem[], asOf: string): ReportItem[] {
  const since = daysBefore(asOf, RECENT_DAYS)
  return items.filter((item) => isDone(item) && item.changedAt > since)
}

/** `spans` has an entry for each of `changedLately`, as far as its history tells. */
export function recentlyCompleted(
  items: readonly ReportItem[],
  spans: ReadonlyMap<number, WorkSpan>,
  telling: Telling,
): CompletedFact[] {
  const since = daysBefore(telling.asOf, RECENT_DAYS)
  return changedLately(items, telling.asOf)
    .map((item) => ({ ...itemFact(item, telling), completedAt: spans.get(item.id)?.completedAt ?? null }))
    .filter((fact) => doneAt(fact) > since)
    .sort((a, b) => byMoment(doneAt(b), doneAt(a)) || a.id - b.id)
}

/** When an item was completed, as far as is known. */
export function doneAt({ completedAt, changedAt }: Pick<CompletedFact, 'completedAt' | 'changedAt'>): string {
  return completedAt ?? changedAt
}

export function staleItems(items: readonly ReportItem[], { parentOf }: Lineage, telling: Telling): ItemFact[] {
  const since = daysBefore(telling.asOf, STALE_DAYS)
  const moving = withThoseAbove(
    items.filter((item) => item.changedAt > since || item.changedAt === UNKNOWN_MOMENT),
    parentOf,
  )
  return items
    .filter((item) => isInProgress(item) && !moving.has(item.id))
    .map((item) => itemFact(item, telling))
    .sort((a, b) => byMoment(a.changedAt, b.changedAt) || a.id - b.id)
}

function withThoseAbove(items: readonly ReportItem[], parentOf: Lineage['parentOf']): Set<number> {
  const found = new Set<number>()
  for (const { id } of items) {
    for (let at: number | undefined = id; at !== undefined && !found.has(at); at = parentOf.get(at)) found.add(at)
  }
  return found
}

function byMoment(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function itemFact(item: ReportItem, { asOf, featureOf }: Telling): ItemFact {
  return {
    id: item.id,
    type: item.type,
    level: item.level,
    title: item.title,
    state: item.state,
    assignedTo: item.assignedTo,
    points: item.storyPoints,
    iterationPath: item.iterationPath,
    changedAt: item.changedAt,
    daysSinceChange: daysBetween(item.changedAt, asOf),
    featureId: featureOf.get(item.id) ?? null,
  }
}

export function blockerFacts(item: ReportItem, { featureOf }: Telling): BlockerFact[] {
  return blockersOn(item).map((blocker) => ({
    ...blocker,
    type: item.type,
    title: item.title,
    state: item.state,
    featureId: featureOf.get(item.id) ?? null,
  }))
}
