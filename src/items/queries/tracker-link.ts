import { chunksOf } from '../../kernel/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'

const LINK_ROW_ID = 1

/** The tracker whose items are kept here, and up to where they are known to be as it has them. */
export interface StoredTrackerLink {
  tracker: string
  position: string | null
  syncedAt: string | null
}

/** Null where nothing of a tracker was ever kept. */
export async function findTrackerLink(tx: ReadTx): Promise<StoredTrackerLink | null> {
  const row = await itemTables(tx).selectFrom('mirror').selectAll().where('id', '=', LINK_ROW_ID).executeTakeFirst()
  return row ? { tracker: row.tracker, position: row.position, syncedAt: row.synced_at } : null
}

export async function insertTrackerLink(tx: WriteTx, tracker: string): Promise<void> {
  await itemTables(tx)
    .insertInto('mirror')
    .values({ id: LINK_ROW_ID, tracker, position: null, synced_at: null })
    .execute()
}

export async function saveSyncPosition(tx: WriteTx, position: string, at: string): Promise<void> {
  await itemTables(tx).updateTable('mirror').set({ position, synced_at: at }).where('id', '=', LINK_ROW_ID).execute()
}

/** What is known of a kept item without its texts. */
export interface ItemSummary {
  id: number
  type: string
  rev: number
  relationsFingerprint: string
  parentId: number | null
  areaPath: string
  fetchedAt: string
  /** The tracker did not show it when it was last asked for. */
  isGone: boolean
  /** A file told it: only reading the item tells how the tracker has it. */
  isFromFile: boolean
}

/** Those of `ids` that are kept; all of them where no ids are given. */
export async function findItemSummaries(tx: ReadTx, ids?: readonly number[]): Promise<Map<number, ItemSummary>> {
  const query = itemTables(tx)
    .selectFrom('work_item')
    .leftJoin('gone_item', 'gone_item.item_id', 'work_item.id')
    .select([
      'work_item.id',
      'work_item.type',
      'work_item.rev',
      'work_item.relations_fingerprint',
      'work_item.parent_id',
      'work_item.area_path',
      'work_item.fetched_at',
      'work_item.file_import_id',
      'gone_item.since',
    ])
    .orderBy('work_item.id')
  const shapes = new Map<number, ItemSummary>()
  for (const part of ids === undefined ? [null] : chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    const rows = await (part === null ? query : query.where('work_item.id', 'in', part)).execute()
    for (const row of rows) {
      shapes.set(row.id, {
        id: row.id,
        type: row.type,
        rev: row.rev,
        relationsFingerprint: row.relations_fingerprint,
        parentId: row.parent_id,
        areaPath: row.area_path,
        fetchedAt: row.fetched_at,
        isGone: row.since !== null,
        isFromFile: row.file_import_id !== null,
      })
    }
  }
  return shapes
}

/** That the tracker did not show these. What is kept of them stays. */
export async function markGone(tx: WriteTx, ids: readonly number[], since: string): Promise<void> {
  for (const part of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    await itemTables(tx)
      .insertInto('gone_item')
      .values(part.map((item_id) => ({ item_id, since })))
      .onConflict((conflict) => conflict.column('item_id').doNothing())
      .execute()
  }
}

export async function clearGone(tx: WriteTx, ids: readonly number[]): Promise<void> {
  const anyGone = await itemTables(tx).selectFrom('gone_item').select('item_id').limit(1).executeTakeFirst()
  if (!anyGone) return
  for (const part of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    await itemTables(tx).deleteFrom('gone_item').where('item_id', 'in', part).execute()
  }
}

/** Since when the tracker does not show the item; null where it does. */
export async function findGoneSince(tx: ReadTx, id: number): Promise<string | null> {
  const row = await itemTables(tx).selectFrom('gone_item').select('since').where('item_id', '=', id).executeTakeFirst()
  return row?.since ?? null
}
