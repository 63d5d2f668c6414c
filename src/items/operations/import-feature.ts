import * as z from 'zod'
import { hint, operation, StudioError, suggest } from '../../kernel'
import { deleteUnfinishedImport, findCachedItem, findItemSummaries, insertUnfinishedImport } from '../queries'
import { toWorkItem } from '../rules/cached-item'
import { countBy } from '../rules/counts'
import { findTreeNotes } from '../rules/tree-notes'
import { ItemId, WorkItem } from '../schemas'
import { type ImportPlan, planImport } from '../services/plan-import'
import { refreshIterations } from '../services/refresh-iterations'
import { refreshPredecessors } from '../services/refresh-predecessors'
import { savePages } from '../services/save-pages'
import { openTrackerLink } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

const Note = z.object({ id: z.int(), reason: z.string() })

export const importFeature = operation({
  id: 'features.import',
  summary: 'Import a whole feature tree from the tracker',
  description:
    'Reads the feature and all that lies below it, to any depth, and keeps a snapshot of each, page by page. Running it again is safe, asks only for what may have changed and writes only what did; an import that was interrupted goes on where it was.',
  effect: 'mirror',
  access: 'workspace',
  input: z.strictObject({ featureId: ItemId.describe('Work item ID of the feature') }),
  output: z.object({
    feature: WorkItem,
    imported: z.int().describe('Items that were not here before, the feature included'),
    updated: z.int().describe('Items that were here in another revision or with other links'),
    unchanged: z.int(),
    byType: z.record(z.string(), z.int()).describe('Items of the tree, by type'),
    skipped: z.array(Note).describe('Items of the tree that could not be read'),
    notes: z.array(Note).describe('Items that were imported and stand oddly: in a circle, in another project'),
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
    const mirror = await openTrackerLink(ctx)
    ctx.progress({ label: 'reading the tree' })
    const links = await mirror.tracker.getTree(featureId, ctx.signal).catch((error) => {
      throw error instanceof StudioError && error.code === 'not_found' ? createNotFoundError(featureId) : error
    })
    const ids = [...new Set([featureId, ...links.map((link) => link.childId)])]
    const plan = await planImport(ctx, mirror, { rootId: featureId, ids, startedAt })
    await recordImportStart(ctx, featureId, plan)
    const read = await savePages(ctx, mirror, {
      ids: plan.toRead,
      known: plan.known,
      at: plan.at,
      label: 'importing work items',
      onMissing(missing) {
        if (missing.some(({ id }) => id === featureId)) throw createNotFoundError(featureId)
      },
    })
    const inTree = new Set(ids)
    await refreshPredecessors(ctx, mirror.tracker, { of: (id) => inTree.has(id), isDoubtful: plan.mayHaveChanged })
    await refreshIterations(ctx, mirror.tracker, { hasNews: read.counts.imported + read.counts.updated > 0 })
    const { feature, members } = await ctx.db.read(async (tx) => ({
      feature: await findCachedItem(tx, featureId),
      members: await findItemSummaries(tx, ids),
    }))
    if (plan.isResumable) await ctx.db.write((tx) => deleteUnfinishedImport(tx, featureId))
    const skipped = new Set(read.missing.map(({ id }) => id))
    const shown = [...members.values()].filter(({ id }) => !skipped.has(id))
    return {
      feature: toWorkItem(feature!),
      ...read.counts,
      unchanged: read.counts.unchanged + plan.unchanged,
      byType: countBy(shown, ({ type }) => type),
      skipped: read.missing.map(({ id, reason }) => ({ id, reason })),
      notes: findTreeNotes(featureId, links, members),
      durationMs: ctx.clock.now() - startedAt,
    }
  },
})

/** One page is kept whole or not at all: only more of them can be interrupted in between. */
async function recordImportStart(ctx: TrackerWorkspaceContext, featureId: number, plan: ImportPlan): Promise<void> {
  if (plan.isResumable && !plan.isResumed) await ctx.db.write((tx) => insertUnfinishedImport(tx, featureId, plan.at))
}

function createNotFoundError(id: number): StudioError {
  return new StudioError('not_found', `The tracker has no work item ${id}, or it may not be read with this token.`, {
    hint: hint`Check the ID in the tracker; on the sandbox, try: ${suggest('features.import', { featureId: 101 })}`,
  })
}
