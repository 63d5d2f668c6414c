import { requireDraft } from '../../drafts'
import { createNoSnapshotError, findCachedItem, findRelatedPeople, type WorkspaceContext } from '../../items'
import { type Context, compute, StudioError } from '../../kernel'
import type { ReadTx, StorageContext } from '../../storage'
import { assistantTasks, createDraftStory, type Story } from '../rules/story'

/** The draft or the cached work item that a call names; null for neither. */
export async function loadStory(
  ctx: Context & StorageContext & Pick<WorkspaceContext, 'sanitizeAlso'>,
  { storyId, itemId }: { storyId?: number | null; itemId?: number | null },
): Promise<Story | null> {
  if (storyId != null && itemId != null) {
    throw new StudioError('invalid', 'Specify a draft or a work item, not both.', {
      details: [{ path: 'itemId', message: 'cannot go with storyId' }],
    })
  }
  if (storyId != null) return ctx.db.read(async (tx) => createDraftStory((await requireDraft(tx, storyId)).draft))
  if (itemId != null) {
    const { item, people } = await ctx.db.read((tx) => findItemAndPeople(tx, itemId))
    return compute(ctx, assistantTasks.createItemStory, item, { people, also: ctx.sanitizeAlso })
  }
  return null
}

async function findItemAndPeople(tx: ReadTx, id: number) {
  const item = await findCachedItem(tx, id)
  if (!item) throw createNoSnapshotError(id)
  const predecessorIds = item.predecessors.map((predecessor) => predecessor.id)
  return { item, people: await findRelatedPeople(tx, { ...item, predecessorIds }) }
}
