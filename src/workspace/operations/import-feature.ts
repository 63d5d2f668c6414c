import * as z from 'zod'
import { operation, StudioError } from '../../kernel'
import { type MirrorContext, TRACKER_ERRORS } from '../context'
import { fetchItems, saveFetched } from '../fetch'
import { findCachedItem } from '../queries'
import { countBy } from '../rules/counts'
import { workItemOf } from '../rules/work-item'
import { ItemId, WorkItem } from '../schemas'

export const importFeature = operation({
  id: 'features.import',
  summary: 'Import a whole feature tree from the tracker',
  description:
    'Reads the feature and all that lies below it, to any depth, and keeps a snapshot of each. Running it again is safe and writes only what changed.',
  effect: 'mirror',
  access: 'workspace',
  input: z.strictObject({ featureId: ItemId.describe('Work item ID of the feature') }),
  output: z.object({
    feature: WorkItem,
    imported: z.int().describe('Items that were not here before, the feature included'),
    updated: z.int().describe('Items that were here in another revision or with other links'),
    unchanged: z.int(),
    byType: z.record(z.string(), z.int()).describe('Items of the tree, by type'),
    skipped: z
      .array(z.object({ id: z.int(), reason: z.string() }))
      .describe('Items of the tree that could not be read'),
    durationMs: z.int(),
  }),
  errors: ['not_found', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/tracker/features/import' },
  cli: {
    command: 'import',
    args: ['featureId'],
    examples: ['studio import 101', 'studio import --item 204 205'],
    seeAlso: ['item list', 'search', 'brief'],
  },
  async run(ctx: MirrorContext, { featureId }) {
    const startedAt = ctx.clock.now()
    const tracker = await ctx.tracker()
    ctx.progress({ label: 'reading the tree' })
    const links = await tracker.getTree(featureId, ctx.signal).catch((error) => {
      throw error instanceof StudioError && error.code === 'not_found' ? notReadable(featureId) : error
    })
    const ids = [...new Set([featureId, ...links.map((link) => link.childId)])]
    const { fetched, missing } = await fetchItems(ctx, ids, 'importing work items')
    if (!fetched.some(({ item }) => item.id === featureId)) throw notReadable(featureId)
    const at = new Date(ctx.clock.now()).toISOString()
    return ctx.db.write(async (tx) => {
      const counts = await saveFetched(tx, fetched, at)
      const feature = await findCachedItem(tx, featureId)
      return {
        feature: workItemOf(feature!),
        ...counts,
        byType: countBy(fetched, ({ item }) => item.type),
        skipped: missing,
        durationMs: ctx.clock.now() - startedAt,
      }
    })
  },
})

function notReadable(id: number): StudioError {
  return new StudioError('not_found', `The tracker has no work item ${id}, or it may not be read with this token.`, {
    hint: 'Check the ID in the tracker; on the sandbox, try: studio import 101',
  })
}
