import * as z from 'zod'
import { operation } from '../../../kernel'
import type { MissingItem, TreeLink } from '../../../tracker'
import { findCachedItems, type ItemSummary } from '../../queries'
import { findTreeNotes } from '../../rules/tree-notes'
import { ItemId, ItemNote, Reference } from '../../schemas'
import { StoredAttachments, storeAttachments, storesAttachments } from '../../services/attachments/store-attachments'
import { confirmCachedTrees, linkByParents } from '../../services/import/cached-trees'
import { countByType, importTrees, listParents } from '../../services/import/import-trees'
import { nameItems } from '../../services/name-items'
import { groupByTracker, openTrackerLink } from '../../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const importFeatures = operation({
  id: 'features.import-many',
  summary: 'Import several feature trees from the tracker',
  description:
    'Several features are imported together, and each has its own outcome. Their trees are read with one query, and an item that is in several trees is saved once.',
  effect: 'mirror',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    featureIds: z.array(ItemId).min(1).max(200).describe('Work item IDs of the features'),
    attachments: storesAttachments,
  }),
  output: z.object({
    features: z.array(
      z.object({
        id: z.int(),
        reference: Reference,
        title: z.string().nullable().describe('Null if it could not be read'),
        items: z.int().describe('Items of the tree that were read, including the feature'),
        problem: z.string().nullable().describe('Why it could not be imported'),
      }),
    ),
    imported: z.int().describe('Items that were not cached before'),
    updated: z.int().describe('Items that were cached in another revision or with other links'),
    unchanged: z.int(),
    byType: z.record(z.string(), z.int()).describe('Items of the trees, by type'),
    skipped: z.array(ItemNote).describe('Items of the trees that could not be read'),
    notes: z.array(ItemNote).describe('Imported items with an unusual place: in a cycle or in another project'),
    attachments: StoredAttachments.optional().describe('Only with `attachments`'),
    durationMs: z.int(),
  }),
  errors: ['conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/tracker/features/import-many',
    extension: true,
    example: { featureIds: [101, 102] },
    withinMs: 30 * 60_000,
  },
  cli: { command: 'import', whenSeveral: true, args: ['featureIds...'], examples: [] },
  isPartial: (answer) => answer.features.some(({ problem }) => problem !== null),
  async run(ctx: TrackerWorkspaceContext, { featureIds, attachments }) {
    const startedAt = ctx.clock.now()
    ctx.progress({ label: 'reading the trees' })
    const rootIds = [...new Set(featureIds)]
    const trees = new Map<number, readonly TreeLink[]>()
    const counts = { imported: 0, updated: 0, unchanged: 0 }
    const missing: MissingItem[] = []
    const members = new Map<number, ItemSummary>()
    for (const group of await groupByTracker(ctx, rootIds)) {
      const link = await openTrackerLink(ctx, { ids: group.ids })
      const confirmed = await confirmCachedTrees(ctx, link, group.ids)
      const ofTracker = confirmed ?? (await link.tracker.getTrees(group.ids, ctx.signal))
      const read = await importTrees(ctx, link, { trees: ofTracker, startedAt })
      const current = confirmed === null ? ofTracker : linkByParents(group.ids, read.members.values())
      for (const [id, links] of current) trees.set(id, links)
      for (const name of ['imported', 'updated', 'unchanged'] as const) counts[name] += read.counts[name]
      missing.push(...read.missing)
      for (const [id, item] of read.members) members.set(id, item)
    }
    const reasons = new Map(missing.map(({ id, reason }) => [id, reason]))
    const read = [...members.values()].filter(({ id }) => !reasons.has(id))
    const files = attachments
      ? await storeAttachments(
          ctx,
          read.map(({ id }) => id),
        )
      : undefined
    const roots = await ctx.db.read((tx) => findCachedItems(tx, rootIds))
    const titles = new Map(roots.map(({ id, title }) => [id, title]))
    const nameOf = await nameItems(ctx, [...rootIds, ...members.keys(), ...listParents(members), ...reasons.keys()])
    const toNote = ({ id, reason }: { id: number; reason: string }) => ({ id, reference: nameOf(id), reason })
    const features = rootIds.map((id) => {
      const problem = reasons.get(id) ?? null
      const ids = listTree(id, trees.get(id)!).filter((member) => !reasons.has(member))
      return {
        id,
        reference: nameOf(id),
        title: problem === null ? (titles.get(id) ?? null) : null,
        items: problem === null ? ids.length : 0,
        problem,
      }
    })
    return {
      features,
      ...counts,
      byType: countByType(read),
      skipped: missing.filter(({ id }) => !trees.has(id)).map(toNote),
      notes: rootIds.flatMap((id) => {
        const links = trees.get(id)!
        const ids = new Set(listTree(id, links))
        const ofTree = new Map([...members].filter(([member]) => ids.has(member)))
        return findTreeNotes(id, links, { members: ofTree, nameOf }).map(toNote)
      }),
      ...(files && { attachments: files }),
      durationMs: ctx.clock.now() - startedAt,
    }
  },
})

/** The IDs of a tree, its root first. */
function listTree(rootId: number, links: readonly TreeLink[]): number[] {
  return [rootId, ...links.map(({ childId }) => childId)]
}
