import { requireDraft } from '../../drafts'
import {
  type CachedItem,
  createNoSnapshotError,
  findCachedItem,
  findRelatedPeople,
  type WorkspaceContext,
} from '../../items'
import { StudioError } from '../../kernel'
import { type SanitizeContext, sanitizeLine, sanitizeText } from '../../sanitize'
import type { ReadTx, StorageContext } from '../../storage'
import { createDraftStory, type Story } from '../rules/story'

/** The draft or the cached work item that a call names; null for neither. */
export async function loadStory(
  ctx: StorageContext & Pick<WorkspaceContext, 'sanitizeAlso'>,
  { storyId, itemId }: { storyId?: number | null; itemId?: number | null },
): Promise<Story | null> {
  if (storyId != null && itemId != null) {
    throw new StudioError('invalid', 'Name a draft or a work item, not both.', {
      details: [{ path: 'itemId', message: 'cannot go with storyId' }],
    })
  }
  if (storyId != null) return ctx.db.read(async (tx) => createDraftStory((await requireDraft(tx, storyId)).draft))
  if (itemId != null) return ctx.db.read((tx) => loadItemStory(tx, itemId, ctx.sanitizeAlso))
  return null
}

async function loadItemStory(tx: ReadTx, id: number, also: WorkspaceContext['sanitizeAlso']): Promise<Story> {
  const item = await findCachedItem(tx, id)
  if (!item) throw createNoSnapshotError(id)
  const predecessorIds = item.predecessors.map((predecessor) => predecessor.id)
  return createItemStory(item, { people: await findRelatedPeople(tx, { ...item, predecessorIds }), also })
}

/** Sanitizes the item, because the model may run on another machine. */
function createItemStory(item: CachedItem, options: Pick<SanitizeContext, 'people' | 'also'>): Story {
  const host = URL.canParse(item.url) ? new URL(item.url).host : ''
  const context = { trackerHosts: [host], ...options }
  const long = (text: CachedItem['description']) => (text ? sanitizeText(text, context).markdown : null)
  return {
    title: sanitizeLine(item.title, context).text,
    description: long(item.description),
    acceptanceCriteria: long(item.acceptanceCriteria),
    type: item.type,
    state: item.state,
    storyPoints: item.storyPoints,
    areaPath: item.areaPath,
    iterationPath: item.iterationPath,
    tags: item.tags.length > 0 ? sanitizeLine(item.tags.join('; '), context).text : null,
  }
}
