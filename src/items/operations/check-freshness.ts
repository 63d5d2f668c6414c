import * as z from 'zod'
import { operation, StudioError } from '../../kernel'
import { findCachedItem, keptShapes } from '../queries'
import { freshnessOf, REASONS } from '../rules/freshness'
import { FileSource, ItemId } from '../schemas'
import { type MirrorContext, TRACKER_ERRORS } from '../services/context'
import { openMirror } from '../services/mirror'

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
    reason: z.enum(REASONS),
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
  async run(ctx: MirrorContext, { id }) {
    const { tracker } = await openMirror(ctx)
    const { kept, item } = await ctx.db.read(async (tx) => ({
      kept: await keptShapes(tx, [id]),
      item: await findCachedItem(tx, id),
    }))
    const remote = await tracker.getShape(id, ctx.signal).catch((error) => {
      throw error instanceof StudioError && error.code === 'not_found' ? notThere(id, kept.has(id)) : error
    })
    return { id, ...freshnessOf(kept.get(id) ?? null, remote), fromFile: item?.fromFile ?? null }
  },
})

function notThere(id: number, isKept: boolean): StudioError {
  return new StudioError('not_found', `The tracker has no work item ${id}, or it may not be read with this token.`, {
    hint: isKept ? `Its snapshot is here: studio item get ${id} --cached` : `Search what is here: studio search ${id}`,
  })
}
