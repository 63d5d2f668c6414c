import { afterParts, StudioError } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import type { WriteTx } from '../../../storage'
import type { MissingItem, Tracker, TrackerItem } from '../../../tracker'
import { clearGone, type FetchedItem, type ItemSummary, markGone } from '../../queries'
import type { Predecessor } from '../../rules/blockers'
import type { TrackerLink } from '../tracker-identity'
import { groupByTracker, openTrackerLink } from '../tracker-link'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { type SaveCounts, type SavedChange, upsertItems } from './upsert-items'

interface FetchResult {
  fetched: FetchedItem[]
  missing: MissingItem[]
}

/** Reads items of any trackers that the caller is going to save. */
export async function fetchItems(
  ctx: TrackerWorkspaceContext,
  ids: readonly number[],
  label: string,
): Promise<FetchResult> {
  const result: FetchResult = { fetched: [], missing: [] }
  for (const group of await groupByTracker(ctx, ids)) {
    const { tracker, stored, claim } = await openTrackerLink(ctx, { name: group.name ?? undefined })
    const { fetched, missing } = await readItems(ctx, tracker, { ids: group.ids, label })
    if (stored === null && fetched.length > 0) await ctx.db.write(claim)
    result.fetched.push(...fetched)
    result.missing.push(...missing)
  }
  return result
}

/** Reads items and their predecessors, whose state decides whether an item is blocked. */
export async function readItems(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { ids, label }: { ids: readonly number[]; label: string },
): Promise<FetchResult> {
  const { items, missing } = await tracker.getItems(ids, {
    signal: ctx.signal,
    onProgress: (done, total) => ctx.progress({ label, done, total }),
  })
  const known = new Map(items.map((item) => [item.id, item]))
  const outside = [...new Set(items.flatMap((item) => item.predecessorIds))].filter((id) => !known.has(id))
  if (outside.length > 0) {
    const others = await tracker.getItems(outside, { signal: ctx.signal })
    for (const other of others.items) known.set(other.id, other)
  }
  return {
    fetched: items.map((item) => ({ item, predecessors: resolvePredecessors(item, known) })),
    missing: await explainMissing(ctx, tracker, missing),
  }
}

/** That an item is absent is known without an explanation. */
function ignoreFailure({ signal }: TrackerWorkspaceContext) {
  return (error: unknown): ReadonlyMap<number, string> => {
    if (signal.aborted || !(error instanceof StudioError)) throw error
    return new Map()
  }
}

/** Adds why items are gone, where the tracker gives a reason. `isNews` chooses the items that it is asked about. */
async function explainMissing(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  missing: readonly MissingItem[],
  isNews: (id: number) => boolean = () => true,
): Promise<MissingItem[]> {
  const asked = missing.filter(({ id, isMalformed }) => !isMalformed && isNews(id)).map(({ id }) => id)
  if (asked.length === 0) return [...missing]
  const ends = await tracker.explainAbsence(asked, ctx.signal).catch(ignoreFailure(ctx))
  return missing.map((item) => {
    const end = ends.get(item.id)
    return end === undefined ? item : { ...item, reason: end, end }
  })
}

function resolvePredecessors(item: TrackerItem, known: ReadonlyMap<number, TrackerItem>): Predecessor[] {
  return item.predecessorIds.map((id) => {
    const { title = '', stateCategory = null } = known.get(id) ?? {}
    return { id, title, stateCategory }
  })
}

export async function saveFetched(tx: WriteTx, fetched: readonly FetchedItem[], at: string): Promise<SaveCounts> {
  return (await upsertItems(tx, fetched, { at })).counts
}

interface PagesRequest {
  ids: readonly number[]
  /** The cached items among `ids`. */
  known: ReadonlyMap<number, ItemSummary>
  /** When reading began, ISO 8601. */
  at: string
  label: string
  withChanges?: boolean
  /** Reads items of the same revision too, because a renamed area or a changed process makes no revision. */
  isFull?: boolean
  /** Is called with the missing items of a page before the page is saved. */
  onMissing?(missing: readonly MissingItem[]): void
}

interface PagesResult {
  counts: SaveCounts
  /** Empty unless `withChanges`. */
  changes: SavedChange[]
  missing: MissingItem[]
  /** What is derived from the pages, such as the search index, shows them. Never rejects. */
  settled: Promise<void>
}

/**
 * Reads items and saves them page by page, each in a transaction of its own. An interruption loses one page, and memory holds only a few
 * pages. An item that is missing is marked as gone, and its snapshots stay.
 */
export async function savePages(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { ids, known, at, label, withChanges, isFull = false, onMissing }: PagesRequest,
): Promise<PagesResult> {
  const result: Omit<PagesResult, 'settled'> = {
    counts: { imported: 0, updated: 0, unchanged: 0 },
    changes: [],
    missing: [],
  }
  const pages = link.tracker.readItems(ids, {
    signal: ctx.signal,
    known: isFull ? undefined : known,
    onProgress: (done, total) => ctx.progress({ label, done, total }),
  })
  const readAll = async () => {
    for await (const { items, unchanged, missing: unexplained } of pages) {
      const missing = await explainMissing(ctx, link.tracker, unexplained, (id) => known.get(id)?.isGone === false)
      onMissing?.(missing)
      const gone = missing.filter(({ id, isMalformed }) => known.has(id) && !isMalformed)
      const back = unchanged.filter((id) => known.get(id)?.isGone)
      result.counts.unchanged += unchanged.length
      result.missing.push(...missing)
      if (items.length + gone.length + back.length === 0) continue
      const writing = ctx.db.write(
        async (tx) => {
          await link.claim(tx)
          await markGone(tx, gone, at)
          await clearGone(tx, back)
          return upsertItems(
            tx,
            items.map((item) => ({ item, predecessors: null })),
            { at, withChanges },
          )
        },
        { continues: ids.length > MIN_SERIES },
      )
      const { counts, changes } = await writing.catch((error) => {
        const done = result.counts.imported + result.counts.updated
        if (done === 0) throw error
        throw afterParts(error, {
          done: `${pluralize(done, 'work item')} ${done === 1 ? 'is' : 'are'} already saved.`,
          again: 'It continues from there.',
        })
      })
      for (const name of ['imported', 'updated', 'unchanged'] as const) result.counts[name] += counts[name]
      result.changes.push(...changes)
    }
  }
  const settle = async () => ctx.db.settle?.()
  await readAll().catch(async (error) => {
    await settle()
    throw error
  })
  return { ...result, settled: settle() }
}

/** So many items are saved as a series: starting the thread that indexes them takes as long as indexing fewer. */
export const MIN_SERIES = 400
