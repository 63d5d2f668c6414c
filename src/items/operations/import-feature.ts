import * as z from 'zod'
import { hint, operation, StudioError, suggest } from '../../kernel'
import { formatInstant, HOUR_MS } from '../../kernel/time'
import {
  deleteUnfinishedImport,
  findCachedItem,
  findItemSummaries,
  findUnfinishedImport,
  type ItemSummary,
  insertUnfinishedImport,
} from '../queries'
import { toWorkItem } from '../rules/cached-item'
import { findTreeNotes } from '../rules/tree-notes'
import { ItemId, ItemNote, WorkItem } from '../schemas'
import { savePages } from '../services/fetch-items'
import { ALL_MAY_DIFFER, findChanges } from '../services/find-changes'
import { refreshIterations, refreshPredecessors } from '../services/refresh-related'
import { openTrackerLink, type TrackerLink } from '../services/tracker-link'
import { createItemNotFoundError, TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const importFeature = operation({
  id: 'features.import',
  summary: 'Import a whole feature tree from the tracker',
  description:
    'Reads the feature and everything below it, at any depth, and saves a snapshot of each item, page by page. You can run it again: it reads only what may have changed and writes only what did. An interrupted import continues where it stopped.',
  effect: 'mirror',
  access: 'workspace',
  input: z.strictObject({ featureId: ItemId.describe('Work item ID of the feature') }),
  output: z.object({
    feature: WorkItem,
    imported: z.int().describe('Items that were not cached before, including the feature'),
    updated: z.int().describe('Items that were cached in another revision or with other links'),
    unchanged: z.int(),
    byType: z.record(z.string(), z.int()).describe('Items of the tree, by type'),
    skipped: z.array(ItemNote).describe('Items of the tree that could not be read'),
    notes: z.array(ItemNote).describe('Imported items with an unusual place: in a cycle or in another project'),
    durationMs: z.int(),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/tracker/features/import', withinMs: 30 * 60_000 },
  cli: {
    command: 'import',
    args: ['featureId'],
    examples: ['studio import 101', 'studio import --item 204 205'],
    seeAlso: ['item list', 'item sync', 'search', 'brief'],
  },
  async run(ctx: TrackerWorkspaceContext, { featureId }) {
    const startedAt = ctx.clock.now()
    const link = await openTrackerLink(ctx)
    ctx.progress({ label: 'reading the tree' })
    const links = await link.tracker.getTree(featureId, ctx.signal).catch((error) => {
      throw error instanceof StudioError && error.code === 'not_found' ? createNotFoundError(featureId) : error
    })
    const ids = [...new Set([featureId, ...links.map(({ childId }) => childId)])]
    const plan = await planImport(ctx, link, { rootId: featureId, ids, startedAt })
    if (plan.isResumable && !plan.isResumed) {
      await ctx.db.write((tx) => insertUnfinishedImport(tx, featureId, plan.at))
    }
    const { counts, missing } = await savePages(ctx, link, {
      ids: plan.toRead,
      known: plan.known,
      at: plan.at,
      label: 'importing work items',
      onMissing(missing) {
        if (missing.some(({ id }) => id === featureId)) throw createNotFoundError(featureId)
      },
    })
    const inTree = new Set(ids)
    const { mayHaveChanged } = plan
    await refreshPredecessors(ctx, link.tracker, { of: (id) => inTree.has(id), mayHaveChanged })
    await refreshIterations(ctx, link.tracker, { hasNews: counts.imported + counts.updated > 0 })
    const { feature, members } = await ctx.db.read(async (tx) => ({
      feature: await findCachedItem(tx, featureId),
      members: await findItemSummaries(tx, ids),
    }))
    if (plan.isResumable) await ctx.db.write((tx) => deleteUnfinishedImport(tx, featureId))
    const skipped = new Set(missing.map(({ id }) => id))
    return {
      feature: toWorkItem(feature!),
      ...counts,
      unchanged: counts.unchanged + plan.unchanged,
      byType: countByType([...members.values()].filter(({ id }) => !skipped.has(id))),
      skipped: missing.map(({ id, reason }) => ({ id, reason })),
      notes: findTreeNotes(featureId, links, members),
      durationMs: ctx.clock.now() - startedAt,
    }
  },
})

function createNotFoundError(id: number): StudioError {
  return createItemNotFoundError(
    id,
    hint`Check the ID in the tracker. On the sandbox, try: ${suggest('features.import', { featureId: 101 })}`,
  )
}

function countByType(items: readonly ItemSummary[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

interface ImportPlan {
  /** In the order of the tree. */
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
 * Decides which items of a tree to read. Skips what the interrupted import has saved. If many items are cached, asks the tracker's feeds of
 * changes, which takes fewer requests than reading them.
 */
async function planImport(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { rootId, ids, startedAt }: { rootId: number; ids: readonly number[]; startedAt: number },
): Promise<ImportPlan> {
  const { known, unfinished } = await ctx.db.read(async (tx) => ({
    known: await findItemSummaries(tx, ids),
    unfinished: await findUnfinishedImport(tx, rootId),
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
