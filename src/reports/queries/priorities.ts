import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { ReportTables } from '../migrations'

/** The IDs of the designated features, in their order. */
export async function listDesignatedFeatures(tx: ReadTx): Promise<number[]> {
  const rows = await tables<ReportTables>(tx)
    .selectFrom('designated_feature')
    .select('feature_id')
    .orderBy('place')
    .execute()
  return rows.map((row) => row.feature_id)
}

export async function replaceDesignatedFeatures(tx: WriteTx, ids: readonly number[]): Promise<void> {
  const db = tables<ReportTables>(tx)
  await db.deleteFrom('designated_feature').execute()
  if (ids.length === 0) return
  await db
    .insertInto('designated_feature')
    .values(ids.map((feature_id, index) => ({ place: index + 1, feature_id })))
    .execute()
}
