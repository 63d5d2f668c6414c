import * as z from 'zod'
import { hint, operation, StudioError, suggest } from '../../../kernel'
import type { ItemShape } from '../../../tracker'
import { findCachedItem, findItemSummaries } from '../../queries'
import { FileSource, ItemId, Reference } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { openTrackerLink } from '../../services/tracker-link'
import { createItemNotFoundError, TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

const Reason = z.enum(['fresh', 'revision', 'relations', 'never-fetched'])

export const checkFreshness = operation({
  id: 'items.freshness',
  summary: "Check whether the snapshot of a work item matches the tracker's version",
  description:
    'Compares the revision and the links, because a change of links makes no new revision. Saves nothing. Without a snapshot, localRev is 0. An item from a file is never fresh, because it was not read from the tracker.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: ItemId }),
  output: z.object({
    id: z.int(),
    reference: Reference,
    localRev: z.int().describe('Revision of the snapshot; 0 if there is none'),
    remoteRev: z.int(),
    isFresh: z.boolean(),
    reason: Reason,
    fromFile: FileSource.nullable().describe(
      'The file that the snapshot was read from; null if the tracker provided it',
    ),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/items/{id}/freshness' },
  cli: {
    command: 'item freshness',
    args: ['id'],
    examples: ['studio item freshness 204', 'studio item freshness 204 --json'],
    seeAlso: ['item get', 'item sync', 'item history'],
  },
  async run(ctx: TrackerWorkspaceContext, { id }) {
    const { tracker } = await openTrackerLink(ctx, { ids: [id] })
    const { cached, item } = await ctx.db.read(async (tx) => ({
      cached: (await findItemSummaries(tx, [id])).get(id) ?? null,
      item: await findCachedItem(tx, id),
    }))
    const remote = await tracker.getShape(id, ctx.signal).catch((error) => {
      if (!(error instanceof StudioError) || error.code !== 'not_found') throw error
      throw createItemNotFoundError(
        id,
        cached ? hint`Show its snapshot: ${suggest('items.get', { id, cached: true })}` : undefined,
      )
    })
    const nameOf = await nameItems(ctx, [id])
    return { id, reference: nameOf(id), ...compareWithTracker(cached, remote), fromFile: item?.fromFile ?? null }
  },
})

/** Compares the revision and the links, because a change of links makes no new revision. */
export function compareWithTracker(cached: (ItemShape & { isFromFile: boolean }) | null, remote: ItemShape) {
  const reason = findReason(cached, remote)
  return { localRev: cached?.rev ?? 0, remoteRev: remote.rev, isFresh: reason === 'fresh', reason }
}

function findReason(cached: (ItemShape & { isFromFile: boolean }) | null, remote: ItemShape): z.infer<typeof Reason> {
  if (cached === null || cached.isFromFile) return 'never-fetched'
  if (cached.rev !== remote.rev) return 'revision'
  return cached.relationsFingerprint === remote.relationsFingerprint ? 'fresh' : 'relations'
}
