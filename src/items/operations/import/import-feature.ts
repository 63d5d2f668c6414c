import * as z from 'zod'
import { hint, operation, StudioError, suggest } from '../../../kernel'
import type { Tracker, TreeLink } from '../../../tracker'
import { findCachedItem } from '../../queries'
import { toWorkItem } from '../../rules/cached-item'
import { findTreeNotes } from '../../rules/tree-notes'
import { ItemId, ItemNote, WorkItem } from '../../schemas'
import { StoredAttachments, storeAttachments, storesAttachments } from '../../services/attachments/store-attachments'
import { confirmCachedTrees, linkByParents } from '../../services/import/cached-trees'
import { countByType, importTrees, listParents } from '../../services/import/import-trees'
import { addReferences, nameItems } from '../../services/name-items'
import { openTrackerLink, SANDBOX_NAME } from '../../services/tracker-link'
import { createItemNotFoundError, TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const importFeature = operation({
  id: 'features.import',
  summary: 'Import a whole feature tree from the tracker',
  description:
    'Reads the feature and everything below it, at any depth, and saves a snapshot of each item, page by page. You can run it again: it reads only what may have changed and writes only what did. An interrupted import continues where it stopped.',
  effect: 'mirror',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    featureId: ItemId.describe('Work item ID of the feature'),
    attachments: storesAttachments,
  }),
  output: z.object({
    feature: WorkItem,
    imported: z.int().describe('Items that were not cached before, including the feature'),
    updated: z.int().describe('Items that were cached in another revision or with other links'),
    unchanged: z.int(),
    byType: z.record(z.string(), z.int()).describe('Items of the tree, by type'),
    skipped: z.array(ItemNote).describe('Items of the tree that could not be read'),
    notes: z.array(ItemNote).describe('Imported items with an unusual place: in a cycle or in another project'),
    attachments: StoredAttachments.optional().describe('Only with `attachments`'),
    durationMs: z.int(),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/tracker/features/import', withinMs: 30 * 60_000 },
  cli: {
    command: 'import',
    args: ['featureId'],
    examples: ['studio import 101', 'studio import 101 102', 'studio import --item 204 205'],
    seeAlso: ['feature list', 'item list', 'item sync', 'search', 'brief'],
  },
  async run(ctx: TrackerWorkspaceContext, { featureId, attachments }) {
    const startedAt = ctx.clock.now()
    const link = await openTrackerLink(ctx, { ids: [featureId] })
    ctx.progress({ label: 'reading the tree' })
    const confirmed = await confirmCachedTrees(ctx, link, [featureId])
    const trees = confirmed ?? new Map([[featureId, await readTree(link.tracker, featureId, ctx.signal)]])
    const { counts, missing, members } = await importTrees(ctx, link, {
      trees,
      startedAt,
      onMissing(missing) {
        if (missing.some(({ id }) => id === featureId)) throw createNotFoundError(featureId, link.tracker)
      },
    })
    const feature = await ctx.db.read((tx) => findCachedItem(tx, featureId))
    const links = confirmed === null ? trees : linkByParents([featureId], members.values())
    const skipped = new Set(missing.map(({ id }) => id))
    const files = attachments ? await storeAttachments(ctx, listRead(members.keys(), skipped)) : undefined
    const nameOf = await nameItems(ctx, [...members.keys(), ...listParents(members)])
    return {
      feature: toWorkItem(feature!),
      ...counts,
      byType: countByType([...members.values()].filter(({ id }) => !skipped.has(id))),
      skipped: await addReferences(
        ctx,
        missing.map(({ id, reason }) => ({ id, reason })),
      ),
      notes: await addReferences(ctx, findTreeNotes(featureId, links.get(featureId)!, { members, nameOf })),
      ...(files && { attachments: files }),
      durationMs: ctx.clock.now() - startedAt,
    }
  },
})

function listRead(ids: Iterable<number>, skipped: ReadonlySet<number>): number[] {
  return [...ids].filter((id) => !skipped.has(id))
}

async function readTree(tracker: Tracker, featureId: number, signal: AbortSignal): Promise<TreeLink[]> {
  return tracker.getTree(featureId, signal).catch((error) => {
    throw error instanceof StudioError && error.code === 'not_found' ? createNotFoundError(featureId, tracker) : error
  })
}

/** The sandbox alone is known to have a certain item. */
function createNotFoundError(id: number, { name }: Tracker): StudioError {
  const example = hint`Check the ID in the tracker. On the sandbox, try: ${suggest('features.import', { featureId: 101 })}`
  return createItemNotFoundError(id, name === SANDBOX_NAME ? example : 'Check the ID in the tracker.')
}
