import type { ReadTx, WriteTx } from '../../storage'
import type { ItemUploadTable } from '../tables/sending-tables'
import { itemTables } from './item-tables'

export type ItemUpload = ItemUploadTable

/** What was sent to an item, also what may have been sent. */
export function listItemUploads(tx: ReadTx, itemId: number): Promise<ItemUpload[]> {
  return itemTables(tx).selectFrom('item_upload').selectAll().where('item_id', '=', itemId).execute()
}

export async function saveItemUpload(tx: WriteTx, upload: ItemUpload): Promise<void> {
  const { name, url, claimed_until } = upload
  await itemTables(tx)
    .insertInto('item_upload')
    .values(upload)
    .onConflict((conflict) => conflict.columns(['item_id', 'sha256']).doUpdateSet({ name, url, claimed_until }))
    .execute()
}

export async function removeItemUpload(tx: WriteTx, { item_id, sha256 }: ItemUpload): Promise<void> {
  await itemTables(tx).deleteFrom('item_upload').where('item_id', '=', item_id).where('sha256', '=', sha256).execute()
}
