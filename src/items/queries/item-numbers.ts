import type { ReadTx } from '../../storage'
import { DEFAULT_TRACKER_ID, idChunks, isOneOf, itemTables } from './item-tables'

/** Local numbers are above the IDs of every default tracker, and fit into an integer column of PostgreSQL. */
export const FIRST_LOCAL_NUMBER = 1_000_000_001

/** The trackers of items by ID, as numbers in the workspace. An ID below the local numbers is of the default tracker. */
export async function findTrackerIds(tx: ReadTx, ids: readonly number[]): Promise<Map<number, number>> {
  const found = new Map(ids.filter((id) => id < FIRST_LOCAL_NUMBER).map((id) => [id, DEFAULT_TRACKER_ID]))
  const locals = ids.filter((id) => id >= FIRST_LOCAL_NUMBER)
  for await (const chunk of idChunks(tx, locals)) {
    const rows = await itemTables(tx)
      .selectFrom('item_number')
      .select(['local_number', 'tracker_id'])
      .where(isOneOf(tx, 'local_number', chunk))
      .execute()
    for (const row of rows) found.set(row.local_number, row.tracker_id)
  }
  return found
}

/** The names of the trackers of items by ID. Items of the default tracker are not in the result. */
export async function findTrackerNames(tx: ReadTx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.every((id) => id < FIRST_LOCAL_NUMBER)) return new Map()
  const rows = await itemTables(tx).selectFrom('mirror').select(['id', 'name']).execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return new Map(
    [...(await findTrackerIds(tx, ids))].flatMap(([id, trackerId]): [number, string][] => {
      const name = names.get(trackerId) ?? null
      return name === null ? [] : [[id, name]]
    }),
  )
}
