import { type Blocker, blockersOn } from './blockers'
import { isDone, isInProgress, type ReportItem } from './item'
import { daysBetween } from './moments'
import { STALE_DAYS } from './risks'

/** For so many days a completed item counts as news. */
export const RECENT_DAYS = 14

export const RECENTLY_COMPLETED_RULE = `Completed, and last changed within ${RECENT_DAYS} days before \`asOf\`; the newest first.`
export const STALE_ITEMS_RULE = `In progress, and not changed for ${STALE_DAYS} days before \`asOf\`; the oldest first.`

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

export function recentlyCompleted(items: readonly ReportItem[], telling: Telling): ItemFact[] {
  return items
    .filter(isDone)
    .map((item) => itemFact(item, telling))
    .filter((fact) => fact.daysSinceChange < RECENT_DAYS)
    .sort((a, b) => byChange(b, a) || a.id - b.id)
}

export function staleItems(items: readonly ReportItem[], telling: Telling): ItemFact[] {
  return items
    .filter(isInProgress)
    .map((item) => itemFact(item, telling))
    .filter((fact) => fact.daysSinceChange >= STALE_DAYS)
    .sort((a, b) => byChange(a, b) || a.id - b.id)
}

function byChange(a: ItemFact, b: ItemFact): number {
  if (a.changedAt === b.changedAt) return 0
  return a.changedAt < b.changedAt ? -1 : 1
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
