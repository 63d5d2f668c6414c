import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { DraftTables } from '../migrations'
import type { DraftContent, Publication } from '../schemas'

export interface StoredPublication extends Publication {
  /** The content of the draft when it was published. */
  content: DraftContent
  /**
   * Values of fields by reference name that the item did not have any more then, because of changes that the draft has not seen. All values, as
   * long as the revision is not cached.
   */
  seenFields: Record<string, unknown>
}

/** Identifies the creation of an item from a draft. */
export function creationKeyOf(draftId: number): string {
  return `draft:${draftId}`
}

/** Where the draft was published, the last first. */
export async function listPublications(tx: ReadTx, draftId: number): Promise<StoredPublication[]> {
  const rows = await tables<DraftTables>(tx)
    .selectFrom('draft_publication')
    .select(['item_id', 'rev', 'published_at', 'content', 'seen_fields'])
    .where('draft_id', '=', draftId)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    itemId: row.item_id,
    rev: row.rev,
    publishedAt: row.published_at,
    content: JSON.parse(row.content) as DraftContent,
    seenFields: JSON.parse(row.seen_fields) as Record<string, unknown>,
  }))
}

/** Replaces the earlier publication to the same item. Returns false if the draft was deleted while it was being published. */
export async function savePublication(
  tx: WriteTx,
  draftId: number,
  { itemId, rev, publishedAt, content, seenFields }: StoredPublication,
): Promise<boolean> {
  const db = tables<DraftTables>(tx)
  const draft = await db.selectFrom('draft').select('id').where('id', '=', draftId).executeTakeFirst()
  if (draft === undefined) return false
  await db.deleteFrom('draft_publication').where('draft_id', '=', draftId).where('item_id', '=', itemId).execute()
  await db
    .insertInto('draft_publication')
    .values({
      draft_id: draftId,
      item_id: itemId,
      started_at: publishedAt,
      rev,
      published_at: publishedAt,
      content: JSON.stringify(content),
      seen_fields: JSON.stringify(seenFields),
    })
    .execute()
  return true
}
