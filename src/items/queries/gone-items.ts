import { chunksOf } from '../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { MissingItem } from '../../tracker'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'

/** Marks items that the tracker did not return, with the reason if it gives one. Their snapshots stay. */
export async function markGone(
  tx: WriteTx,
  items: readonly Pick<MissingItem, 'id' | 'end'>[],
  since: string,
): Promise<void> {
  for (const chunk of chunksOf(items, MAX_IDS_PER_STATEMENT)) {
    await itemTables(tx)
      .insertInto('gone_item')
      .values(chunk.map(({ id, end }) => ({ item_id: id, since, reason: end ?? null })))
      .onConflict((conflict) => conflict.column('item_id').doNothing())
      .execute()
  }
}

export async function clearGone(tx: WriteTx, ids: readonly number[]): Promise<void> {
  const anyGone = await itemTables(tx).selectFrom('gone_item').select('item_id').limit(1).executeTakeFirst()
  if (!anyGone) return
  for (const chunk of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    await itemTables(tx).deleteFrom('gone_item').where('item_id', 'in', chunk).execute()
  }
}

/** Since when the tracker has not returned the item, and why, if it says so. Both are null if it is not gone. */
export async function findGoneSince(
  tx: ReadTx,
  id: number,
): Promise<{ goneSince: string | null; goneReason: string | null }> {
  const gone = itemTables(tx).selectFrom('gone_item').where('item_id', '=', id)
  const row = await gone.select(['since', 'reason']).executeTakeFirst()
  return { goneSince: row?.since ?? null, goneReason: row?.reason ?? null }
}

/** The gone items, all or those among `ids`. */
export async function listGone(tx: ReadTx, ids?: readonly number[]): Promise<number[]> {
  const query = itemTables(tx).selectFrom('gone_item').select('item_id')
  const chunks =
    ids === undefined
      ? [query]
      : chunksOf(ids, MAX_IDS_PER_STATEMENT).map((chunk) => query.where('item_id', 'in', chunk))
  const found: number[] = []
  for (const chunk of chunks) for (const row of await chunk.execute()) found.push(row.item_id)
  return found
}
