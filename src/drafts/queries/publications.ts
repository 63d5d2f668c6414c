import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { DraftTables } from '../migrations'
import type { DraftContent, Publication } from '../schemas'

export interface StoredPublication extends Publication {
  /** The content of the draft when it was published. */
  content: DraftContent
  /** Values of fields by reference name that the item did not have any more then, because of changes that the draft has not seen. */
  seenFields: Record<string, unknown>
}

/** A creation that has begun and whose result is not stored yet. */
export interface PendingCreation {
  marker: string
  type: string
  /** When the first call began, ISO 8601. */
  startedAt: string
  /** Until when another call must not create the item, ISO 8601. */
  claimedUntil: string
  /** The content of the draft when it was last sent; null if an earlier version of studio has sent it. */
  content: DraftContent | null
}

/** Where the draft was published, the last first. */
export async function listPublications(tx: ReadTx, draftId: number): Promise<StoredPublication[]> {
  const rows = await tables<DraftTables>(tx)
    .selectFrom('draft_publication')
    .select(['item_id', 'rev', 'published_at', 'content', 'seen_fields'])
    .where('draft_id', '=', draftId)
    .where('item_id', 'is not', null)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    itemId: row.item_id!,
    rev: row.rev!,
    publishedAt: row.published_at!,
    content: JSON.parse(row.content!) as DraftContent,
    seenFields: JSON.parse(row.seen_fields ?? '{}') as Record<string, unknown>,
  }))
}

export async function findPendingCreation(tx: ReadTx, draftId: number): Promise<PendingCreation | null> {
  const row = await tables<DraftTables>(tx)
    .selectFrom('draft_publication')
    .select(['marker', 'type', 'started_at', 'claimed_until', 'content'])
    .where('draft_id', '=', draftId)
    .where('item_id', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const content = row.content === null ? null : (JSON.parse(row.content) as DraftContent)
  return {
    marker: row.marker!,
    type: row.type!,
    startedAt: row.started_at,
    claimedUntil: row.claimed_until!,
    content,
  }
}

/** Replaces the pending creation of the draft. */
export async function savePendingCreation(tx: WriteTx, draftId: number, creation: PendingCreation): Promise<void> {
  await deletePendingCreation(tx, draftId)
  await tables<DraftTables>(tx)
    .insertInto('draft_publication')
    .values({
      draft_id: draftId,
      marker: creation.marker,
      type: creation.type,
      started_at: creation.startedAt,
      claimed_until: creation.claimedUntil,
      content: creation.content && JSON.stringify(creation.content),
    })
    .execute()
}

export async function deletePendingCreation(tx: WriteTx, draftId: number): Promise<void> {
  await tables<DraftTables>(tx)
    .deleteFrom('draft_publication')
    .where('draft_id', '=', draftId)
    .where('item_id', 'is', null)
    .execute()
}

/** Replaces the earlier publication to the same item. */
export async function savePublication(
  tx: WriteTx,
  draftId: number,
  { itemId, rev, publishedAt, content, seenFields }: StoredPublication,
): Promise<void> {
  const db = tables<DraftTables>(tx)
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
}
