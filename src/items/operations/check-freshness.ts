import * as z from 'zod'
import { hint, operation, StudioError, suggest } from '../../kernel'
import { findCachedItem, findItemSummaries } from '../queries'
import { determineFreshness, FRESHNESS_REASONS } from '../rules/freshness'
import { FileSource, ItemId } from '../schemas'
import { openTrackerLink } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const checkFreshness = operation({
  id: 'items.freshness',
  summary: 'Say whether the snapshot of a work item is still what the tracker has',
  description:
    'Compares the revision and the links: a change of links does not make a new revision. Nothing is kept. Without a snapshot localRev is 0. What was read from a file is never fresh: the tracker was not asked for it.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: ItemId }),
  output: z.object({
    id: z.int(),
    localRev: z.int().describe('Revision of the snapshot; 0 where there is none'),
    remoteRev: z.int(),
    isFresh: z.boolean(),
    reason: z.enum(FRESHNESS_REASONS),
    fromFile: FileSource.nullable().describe(
      'The file that the snapshot was read from; null where the tracker gave it',
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
    const { tracker } = await openTrackerLink(ctx)
    const { kept, item } = await ctx.db.read(async (tx) => ({
      kept: await findItemSummaries(tx, [id]),
      item: await findCachedItem(tx, id),
    }))
    const remote = await tracker.getShape(id, ctx.signal).catch((error) => {
      throw error instanceof StudioError && error.code === 'not_found' ? createNotFoundError(id, kept.has(id)) : error
    })
    return { id, ...determineFreshness(kept.get(id) ?? null, remote), fromFile: item?.fromFile ?? null }
  },
})

function createNotFoundError(id: number, isKept: boolean): StudioError {
  return new StudioError('not_found', `The tracker has no work item ${id}, or it may not be read with this token.`, {
    hint: isKept
      ? hint`Its snapshot is here: ${suggest('items.get', { id, cached: true })}`
      : hint`Search what is here: ${suggest('search.fast', { q: id })}`,
  })
}
