import type { ReadTx, WriteTx } from '../../storage'
import { itemTables } from './item-tables'

/** When the interrupted import of this tree began; null if there is none. */
export async function findUnfinishedImport(tx: ReadTx, rootId: number): Promise<string | null> {
  const row = await itemTables(tx)
    .selectFrom('unfinished_import')
    .select('started_at')
    .where('root_id', '=', rootId)
    .executeTakeFirst()
  return row?.started_at ?? null
}

export async function insertUnfinishedImport(tx: WriteTx, rootId: number, startedAt: string): Promise<void> {
  await itemTables(tx)
    .insertInto('unfinished_import')
    .values({ root_id: rootId, started_at: startedAt })
    .onConflict((conflict) => conflict.column('root_id').doUpdateSet({ started_at: startedAt }))
    .execute()
}

export async function deleteUnfinishedImport(tx: WriteTx, rootId: number): Promise<void> {
  await itemTables(tx).deleteFrom('unfinished_import').where('root_id', '=', rootId).execute()
}
