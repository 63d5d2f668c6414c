import { formatInstant, HOUR_MS } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import type { MissingItem, TreeLink } from '../../../tracker'
import {
  deleteUnfinishedImport,
  findItemSummaries,
  findUnfinishedImport,
  type ItemSummary,
  insertUnfinishedImport,
} from '../../queries'
import { refreshFieldNames } from '../custom-fields'
import type { TrackerLink } from '../tracker-identity'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { savePages } from './fetch-items'
import { ALL_MAY_DIFFER, findChanges } from './find-changes'
import { refreshIterations, refreshPredecessors } from './refresh-related'
import type { SaveCounts } from './upsert-items'

interface ImportedTrees {
  counts: SaveCounts
  missing: MissingItem[]
  /** The cached items of the trees by ID. */
  members: ReadonlyMap<number, ItemSummary>
}

/**
 * Saves the items of the trees page by page, each item once. An interrupted import continues where it stopped.
 * @param trees the links below each root
 */
export async function importTrees(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  {
    trees,
    startedAt,
    onMissing,
  }: {
    trees: ReadonlyMap<number, readonly TreeLink[]>
    startedAt: number
    /** Called with the items of each page that cannot be read; may throw to end the import. */
    onMissing?(missing: readonly MissingItem[]): void
  },
): Promise<ImportedTrees> {
  const rootIds = [...trees.keys()]
  const ids = [...new Set([...trees].flatMap(([rootId, links]) => [rootId, ...links.map(({ childId }) => childId)]))]
  const plan = await planImport(ctx, link, { rootIds, ids, startedAt })
  if (plan.isResumable && !plan.isResumed) {
    await ctx.db.write(async (tx) => {
      for (const rootId of rootIds) await insertUnfinishedImport(tx, rootId, plan.at)
    })
  }
  const { counts, missing, settled } = await savePages(ctx, link, {
    ids: plan.toRead,
    known: plan.known,
    at: plan.at,
    label: 'importing work items',
    onMissing: onMissing ?? (() => {}),
  })
  const inTree = new Set(ids)
  const { mayHaveChanged } = plan
  try {
    await refreshPredecessors(ctx, link.tracker, { of: (id) => inTree.has(id), mayHaveChanged })
    const hasNews = counts.imported + counts.updated > 0
    await refreshIterations(ctx, link, { hasNews })
    await refreshFieldNames(ctx, link, { hasNews })
    const members = await ctx.db.read((tx) => findItemSummaries(tx, ids))
    if (plan.isResumable) {
      await ctx.db.write(async (tx) => {
        for (const rootId of rootIds) await deleteUnfinishedImport(tx, rootId)
      })
    }
    return { counts: { ...counts, unchanged: counts.unchanged + plan.unchanged }, missing, members }
  } finally {
    await settled
  }
}

/** The parents that the items name, whether or not they are among them. */
export function listParents(members: ReadonlyMap<number, ItemSummary>): number[] {
  return [...members.values()].flatMap(({ parentId }) => (parentId === null ? [] : [parentId]))
}

/** The number of items of each type. */
export function countByType(items: readonly ItemSummary[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

interface ImportPlan {
  /** In the order of the trees. */
  toRead: number[]
  /** The number of items that need not be read. */
  unchanged: number
  known: ReadonlyMap<number, ItemSummary>
  /** When the import began, ISO 8601; for a resumed one, before the interruption. */
  at: string
  isResumed: boolean
  /** A page is saved entirely or not at all, so only an import of several pages can be resumed. */
  isResumable: boolean
  mayHaveChanged(id: number): boolean
}

const PAGE_SIZE = 200
const MAX_RESUME_AGE_MS = HOUR_MS

/**
 * Decides which items of the trees to read. Skips what the interrupted import has saved. If many items are cached, asks the tracker's feeds of
 * changes, which takes fewer requests than reading them.
 */
async function planImport(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { rootIds, ids, startedAt }: { rootIds: readonly number[]; ids: readonly number[]; startedAt: number },
): Promise<ImportPlan> {
  const { known, unfinished } = await ctx.db.read(async (tx) => ({
    known: await findItemSummaries(tx, ids),
    unfinished: await findOldestUnfinished(tx, rootIds),
  }))
  const isResumed = unfinished !== null && startedAt - Date.parse(unfinished) < MAX_RESUME_AGE_MS
  const isDone = (item: ItemSummary) => isResumed && !item.isGone && !item.isFromFile && item.fetchedAt >= unfinished
  const older = [...known.values()].filter((item) => !isDone(item))
  const maxPages = Math.max(2, Math.floor(older.length / (4 * PAGE_SIZE)))
  const changes =
    older.length > 2 * PAGE_SIZE ? await findChanges(ctx, link, { items: older, maxPages }) : ALL_MAY_DIFFER
  const toRead = ids.filter((id) => {
    const item = known.get(id)
    return item === undefined || (!isDone(item) && changes.mayDiffer(item))
  })
  return {
    toRead,
    unchanged: ids.length - toRead.length,
    known,
    at: isResumed ? unfinished : formatInstant(startedAt),
    isResumed,
    isResumable: isResumed || toRead.length > PAGE_SIZE,
    mayHaveChanged: changes.mayHaveChanged,
  }
}

/** When the interrupted import of all these trees began; null if one of them has none. */
async function findOldestUnfinished(tx: ReadTx, rootIds: readonly number[]): Promise<string | null> {
  const starts: string[] = []
  for (const rootId of rootIds) {
    const start = await findUnfinishedImport(tx, rootId)
    if (start === null) return null
    starts.push(start)
  }
  return starts.sort()[0] ?? null
}
