import type { Selectable } from 'kysely'
import type { ReadTx, WriteTx } from '../../storage'
import type { ItemTables } from '../migrations'
import { itemTables } from './item-tables'

export type StoredAttachment = Selectable<ItemTables['item_attachment']>

/** Enough for few statements, and little enough that copying many of them takes little memory. */
const PART_BYTES = 64 * 1024

/** The stored files of an item, without their contents, in the order of the tracker. */
export function listStoredAttachments(tx: ReadTx, itemId: number): Promise<StoredAttachment[]> {
  return itemTables(tx)
    .selectFrom('item_attachment')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function readStoredContent(tx: ReadTx, id: number): Promise<Buffer> {
  const parts = await itemTables(tx)
    .selectFrom('item_attachment_part')
    .select('content')
    .where('item_attachment_id', '=', id)
    .orderBy('part')
    .execute()
  return Buffer.concat(parts.map(({ content }) => content))
}

/** Stores a file in place of the one with the same ID. `pause` is called between the parts. */
export async function saveStoredAttachment(
  tx: WriteTx,
  attachment: Omit<StoredAttachment, 'id'>,
  content: Uint8Array,
  pause: () => Promise<void>,
): Promise<void> {
  const db = itemTables(tx)
  const former = await db
    .selectFrom('item_attachment')
    .select('id')
    .where('item_id', '=', attachment.item_id)
    .where('attachment_id', '=', attachment.attachment_id)
    .execute()
  await removeStoredAttachments(
    tx,
    former.map(({ id }) => id),
  )
  const { id } = await db.insertInto('item_attachment').values(attachment).returning('id').executeTakeFirstOrThrow()
  for (let part = 0; part * PART_BYTES < content.length; part++) {
    await pause()
    const piece = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
    await db.insertInto('item_attachment_part').values({ item_attachment_id: id, part, content: piece }).execute()
  }
}

export async function removeStoredAttachments(tx: WriteTx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const db = itemTables(tx)
  await db.deleteFrom('item_attachment_part').where('item_attachment_id', 'in', ids).execute()
  await db.deleteFrom('item_attachment').where('id', 'in', ids).execute()
}
