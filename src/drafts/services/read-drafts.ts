import type { WorkspaceContext } from '../../items'
import { checkpoint } from '../../kernel'
import { MAX_PART_BYTES } from '../../kernel/work/chunks'
import { type DraftScope, findDrafts, listDraftParts } from '../queries'
import type { Draft } from '../schemas'

/**
 * The drafts of a folder or of a work item, or all, ordered by ID. If their texts are long, they are read in several transactions: a draft that is saved
 * meanwhile is read as it was before or after that.
 */
export async function* readDrafts(ctx: WorkspaceContext, scope: DraftScope): AsyncGenerator<Draft, void, undefined> {
  const { parts, first } = await ctx.db.read(async (tx) => {
    const [ids = [], ...others] = await listDraftParts(tx, scope, MAX_PART_BYTES)
    return { parts: others, first: ids.length === 0 ? [] : await findDrafts(tx, ids) }
  })
  yield* first
  for (const ids of parts) {
    await checkpoint(ctx)
    yield* await ctx.db.read((tx) => findDrafts(tx, ids))
  }
}
