import { findCachedItem, findFieldsAtRevision } from '../../items'
import type { ReadTx } from '../../storage'
import { findFormerVersions, listPublications } from '../queries'
import { extractContent, FIRST_VERSION } from '../rules/draft-content'
import type { Draft, DraftContent } from '../schemas'
import type { PublicationBase } from './plan-publication'
import { requireDraft } from './require-draft'

/** A draft, and the item that publishing it would update. */
export interface PublicationSource {
  draft: Draft
  content: DraftContent
  /** How many items the draft was published to. */
  publications: number
  /** Null if a new item is to be created. */
  target: PublicationTarget | null
  /** The type of the cached item that the draft was copied from; null if there is none. */
  sourceType: string | null
}

export interface PublicationTarget {
  itemId: number
  base: PublicationBase | null
}

/** Throws `not_found` if there is no such draft. */
export async function loadForPublication(
  tx: ReadTx,
  { id, to, asNew }: { id: number; to: number | undefined; asNew: boolean },
): Promise<PublicationSource> {
  const { draft } = await requireDraft(tx, id)
  const source = draft.sourceItemId === null ? null : await findCachedItem(tx, draft.sourceItemId)
  const published = await listPublications(tx, id)
  const itemId = asNew ? undefined : (to ?? published[0]?.itemId)
  const target = itemId === undefined ? null : { itemId, base: await findBase(tx, draft, itemId, published) }
  const content = extractContent(draft)
  return { draft, content, publications: published.length, target, sourceType: source?.type ?? null }
}

/** The last publication to the item, or the copy that the draft was made as. */
async function findBase(
  tx: ReadTx,
  draft: Draft,
  itemId: number,
  published: Awaited<ReturnType<typeof listPublications>>,
): Promise<PublicationBase | null> {
  const known = published.find((publication) => publication.itemId === itemId) ?? (await findCopy(tx, draft, itemId))
  const fields = known && (await findFieldsAtRevision(tx, itemId, known.rev))
  if (!known || (fields === null && Object.keys(known.seenFields).length === 0)) return null
  return { content: known.content, fields: { ...fields, ...known.seenFields } }
}

async function findCopy(tx: ReadTx, draft: Draft, itemId: number) {
  if (draft.sourceItemId !== itemId || draft.sourceRev === null) return null
  const [first] = await findFormerVersions(tx, draft.id, [FIRST_VERSION])
  return { content: first?.content ?? extractContent(draft), rev: draft.sourceRev, seenFields: {} }
}
