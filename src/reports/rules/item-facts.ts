import type { BlockerFact, Changes, CompletedFact, ItemFact } from '../schemas'
import { countDaysBetween, subtractDays, UNKNOWN_INSTANT } from './dates'
import type { ItemForest } from './item-forest'
import { isDone, isInProgress, isRemoved, listBlockers, REQUIREMENT_LEVEL, type ReportItem } from './report-item'
import { STALE_DAYS } from './risks'
import type { WorkSpan } from './work-span'

/** How long a completed item counts as recent. */
export const RECENT_DAYS = 14

export const RECENTLY_COMPLETED_RULE =
  `Completed within ${RECENT_DAYS} days before \`asOf\`, by the tracker's closing date, or else the snapshots; if neither says, ` +
  'last changed within them. The newest first.'
export const STALE_ITEMS_RULE = `In progress, and neither it nor anything below it has changed for ${STALE_DAYS} days before \`asOf\`; the oldest first.`

/** What facts about an item depend on besides the item. */
interface FactContext {
  asOf: string
  featureOf: ReadonlyMap<number, number>
}

/** The items that can have been completed recently. No other history needs to be read. */
export function selectRecentlyDone(items: readonly ReportItem[], asOf: string): ReportItem[] {
  const since = subtractDays(asOf, RECENT_DAYS)
  return items.filter((item) => isDone(item) && item.changedAt > since)
}

/** `spans` has an entry for each item of `selectRecentlyDone` whose history is known. */
export function listRecentlyCompleted(
  items: readonly ReportItem[],
  spans: ReadonlyMap<number, WorkSpan>,
  context: FactContext,
): CompletedFact[] {
  const since = subtractDays(context.asOf, RECENT_DAYS)
  return selectRecentlyDone(items, context.asOf)
    .map((item) => ({ ...createItemFact(item, context), completedAt: spans.get(item.id)?.completedAt ?? null }))
    .filter((fact) => getCompletionTime(fact) > since)
    .sort((a, b) => compareInstants(getCompletionTime(b), getCompletionTime(a)) || a.id - b.id)
}

/** The completion time, or the last change if that is unknown. */
export function getCompletionTime({
  completedAt,
  changedAt,
}: Pick<CompletedFact, 'completedAt' | 'changedAt'>): string {
  return completedAt ?? changedAt
}

export function listStaleItems(
  items: readonly ReportItem[],
  { parentOf }: ItemForest,
  context: FactContext,
): ItemFact[] {
  const since = subtractDays(context.asOf, STALE_DAYS)
  const moving = collectWithAncestors(
    items.filter((item) => item.changedAt > since || item.changedAt === UNKNOWN_INSTANT),
    parentOf,
  )
  return items
    .filter((item) => isInProgress(item) && !moving.has(item.id))
    .map((item) => createItemFact(item, context))
    .sort((a, b) => compareInstants(a.changedAt, b.changedAt) || a.id - b.id)
}

function collectWithAncestors(items: readonly ReportItem[], parentOf: ItemForest['parentOf']): Set<number> {
  const found = new Set<number>()
  for (const { id } of items) {
    for (let at: number | undefined = id; at !== undefined && !found.has(at); at = parentOf.get(at)) found.add(at)
  }
  return found
}

function compareInstants(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function createItemFact(item: ReportItem, { asOf, featureOf }: FactContext): ItemFact {
  return {
    id: item.id,
    tracker: item.tracker,
    reference: item.reference,
    type: item.type,
    level: item.level,
    title: item.title,
    state: item.state,
    assignedTo: item.assignedTo,
    points: item.storyPoints,
    iterationPath: item.iterationPath,
    changedAt: item.changedAt,
    daysSinceChange: measureDaysSinceChange(item, asOf),
    featureId: featureOf.get(item.id) ?? null,
  }
}

function measureDaysSinceChange({ changedAt }: ReportItem, asOf: string): number {
  return Math.max(0, countDaysBetween(changedAt, asOf))
}

export function createBlockerFacts(item: ReportItem, { asOf, featureOf }: FactContext): BlockerFact[] {
  return listBlockers(item).map((blocker) => ({
    ...blocker,
    tracker: item.tracker,
    reference: item.reference,
    type: item.type,
    title: item.title,
    state: item.state,
    featureId: featureOf.get(item.id) ?? null,
    daysSinceChange: measureDaysSinceChange(item, asOf),
  }))
}

/** The default period of a briefing: the usual length of an iteration. */
const CHANGES_DAYS = 14

export const CHANGES_RULE =
  `Backlog items that were completed, started or created after a date: the requested one, or else ${CHANGES_DAYS} days before \`asOf\`. The ` +
  "time comes from the tracker's own dates, or else from the snapshots; if neither says, the item is left out. An item is listed once, by its latest change."

export function resolveChangesSince(asOf: string, requested: string | null): string {
  return requested ?? subtractDays(asOf, CHANGES_DAYS)
}

/** The items that can have changed since then. No other history needs to be read. */
export function selectChangedItems(items: readonly ReportItem[], since: string): ReportItem[] {
  return items.filter((item) => item.level === REQUIREMENT_LEVEL && !isRemoved(item) && item.changedAt > since)
}

/** `spans` has an entry for each item of `selectChangedItems` whose history is known. */
export function findChanges(
  items: readonly ReportItem[],
  spans: ReadonlyMap<number, WorkSpan>,
  { since, context }: { since: string; context: FactContext },
): Changes {
  const changes: Changes = { since, completed: [], started: [], added: [] }
  const isAfter = (moment: string | null) => moment !== null && moment > since && moment <= context.asOf
  for (const item of selectChangedItems(items, since)) {
    const span = spans.get(item.id)
    if (!span) continue
    const { completedAt, startedAt, createdAt } = span
    if (isDone(item) && isAfter(completedAt)) changes.completed.push(createItemFact(item, context))
    else if (isInProgress(item) && isAfter(startedAt)) changes.started.push(createItemFact(item, context))
    else if (isAfter(createdAt)) changes.added.push(createItemFact(item, context))
  }
  return changes
}
