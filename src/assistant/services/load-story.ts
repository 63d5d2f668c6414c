import { findDraft } from '../../drafts'
import { type CachedItem, findCachedItem, findRelatedPeople } from '../../items'
import { hint, StudioError, suggest } from '../../kernel'
import { sanitizeLine, sanitizeText } from '../../sanitize'
import type { ReadTx, StorageContext } from '../../storage'
import { draftStory, type Story } from '../rules/story'

/** The story of a call: a draft, or a work item as it was last fetched; null where neither is named. Throws `invalid` for both. */
export async function loadStory(
  ctx: StorageContext,
  { storyId, itemId }: { storyId?: number | null; itemId?: number | null },
): Promise<Story | null> {
  if (storyId != null && itemId != null) {
    throw new StudioError('invalid', 'Name a draft or a work item, not both.', {
      details: [{ path: 'itemId', message: 'cannot go with storyId' }],
    })
  }
  if (storyId != null) return ctx.db.read((tx) => storyOfDraft(tx, storyId))
  if (itemId != null) return ctx.db.read((tx) => itemStory(tx, itemId))
  return null
}

async function storyOfDraft(tx: ReadTx, id: number): Promise<Story> {
  const draft = await findDraft(tx, id)
  if (draft) return draftStory(draft)
  throw new StudioError('not_found', `There is no draft ${id}.`, {
    hint: hint`List the drafts: ${suggest('drafts.list')}`,
  })
}

async function itemStory(tx: ReadTx, id: number): Promise<Story> {
  const item = await findCachedItem(tx, id)
  if (item) {
    const predecessorIds = item.predecessors.map((predecessor) => predecessor.id)
    return storyOf(item, await findRelatedPeople(tx, { ...item, predecessorIds }))
  }
  throw new StudioError('not_found', `There is no snapshot of work item ${id}.`, {
    hint: hint`Fetch it: ${suggest('items.get', { id })}`,
  })
}

/** A model may run on another machine: what a draft would be cleaned of does not go there either. */
function storyOf(item: CachedItem, people: readonly string[]): Story {
  const host = URL.canParse(item.url) ? new URL(item.url).host : ''
  const context = { trackerHosts: [host], people }
  const long = (text: CachedItem['description']) => (text ? sanitizeText(text, context).markdown : null)
  return {
    source: { kind: 'item', id: item.id },
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
