import type { ReadTx, WriteTx } from '../../storage'
import type { CreationTable } from '../tables/sending-tables'
import { itemTables } from './item-tables'

/** A creation whose outcome is not known yet, or whose item still has its marker. */
export interface StoredCreation {
  /** What creates the item, so that the same call finds its marker again: `draft:1`, `item:` and a hash; `marked:` and the marker once it is created. */
  key: string
  marker: string
  type: string
  /** When the first call began, ISO 8601. */
  startedAt: string
  /** Until when another call must not create the item, ISO 8601. */
  claimedUntil: string
  /** What the item was last sent from; null if that is not stored. */
  sent: unknown
  /** The created item, which still has its marker; null while the outcome is not known. */
  itemId: number | null
}

export async function findCreation(tx: ReadTx, key: string): Promise<StoredCreation | null> {
  const row = await itemTables(tx).selectFrom('creation').selectAll().where('key', '=', key).executeTakeFirst()
  return row ? toCreation(row) : null
}

/** The created items that still have their markers. */
export async function listMarkedItems(tx: ReadTx): Promise<(StoredCreation & { itemId: number })[]> {
  const rows = await itemTables(tx).selectFrom('creation').selectAll().where('item_id', 'is not', null).execute()
  return rows.map((row) => ({ ...toCreation(row), itemId: row.item_id! }))
}

/** Replaces the creation with the same key. */
export async function saveCreation(tx: WriteTx, creation: StoredCreation): Promise<void> {
  await deleteCreation(tx, creation.key)
  await itemTables(tx)
    .insertInto('creation')
    .values({
      key: creation.key,
      marker: creation.marker,
      type: creation.type,
      started_at: creation.startedAt,
      claimed_until: creation.claimedUntil,
      sent: creation.sent === null ? null : JSON.stringify(creation.sent),
      item_id: creation.itemId,
    })
    .execute()
}

export async function deleteCreation(tx: WriteTx, key: string): Promise<void> {
  await itemTables(tx).deleteFrom('creation').where('key', '=', key).execute()
}

function toCreation(row: CreationTable): StoredCreation {
  return {
    key: row.key,
    marker: row.marker,
    type: row.type,
    startedAt: row.started_at,
    claimedUntil: row.claimed_until,
    sent: row.sent === null ? null : JSON.parse(row.sent),
    itemId: row.item_id,
  }
}
