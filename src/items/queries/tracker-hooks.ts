import type { ReadTx, WriteTx } from '../../storage'
import { itemTables } from './item-tables'

export interface StoredHook {
  secret: string
  receivedAt: string | null
}

/** Null if the tracker reports nothing to this workspace. */
export async function findTrackerHook(tx: ReadTx, tracker: string): Promise<StoredHook | null> {
  const row = await itemTables(tx)
    .selectFrom('tracker_hook')
    .selectAll()
    .where('tracker', '=', tracker)
    .executeTakeFirst()
  return row ? { secret: row.secret, receivedAt: row.received_at } : null
}

export async function saveTrackerHook(tx: WriteTx, tracker: string, secret: string): Promise<void> {
  await itemTables(tx)
    .insertInto('tracker_hook')
    .values({ tracker, secret, received_at: null })
    .onConflict((conflict) => conflict.column('tracker').doUpdateSet({ secret }))
    .execute()
}

/** An event has arrived: its items are to be read. Locks the row of the tracker first, so that events at once wait for each other. */
export async function saveReportedItems(
  tx: WriteTx,
  tracker: string,
  keys: readonly string[],
  at: string,
): Promise<void> {
  const db = itemTables(tx)
  await db.updateTable('tracker_hook').set({ received_at: at }).where('tracker', '=', tracker).execute()
  for (const key of [...new Set(keys)].sort())
    await db
      .insertInto('reported_item')
      .values({ tracker, key, reports: 1, reported_at: at })
      .onConflict((conflict) =>
        conflict.columns(['tracker', 'key']).doUpdateSet((eb) => ({ reports: eb('reported_item.reports', '+', 1) })),
      )
      .execute()
}

/** Its two last fields change when it is reported again, also after its removal. */
export interface ReportedItem {
  key: string
  reports: number
  reported_at: string
}

export async function listReportingTrackers(tx: ReadTx): Promise<string[]> {
  const rows = await itemTables(tx)
    .selectFrom('reported_item')
    .select('tracker')
    .distinct()
    .orderBy('tracker')
    .execute()
  return rows.map(({ tracker }) => tracker)
}

/** The items of a tracker that wait longest. */
export async function listReportedItems(tx: ReadTx, tracker: string, limit: number): Promise<ReportedItem[]> {
  return itemTables(tx)
    .selectFrom('reported_item')
    .select(['key', 'reports', 'reported_at'])
    .where('tracker', '=', tracker)
    .orderBy('reported_at')
    .orderBy('key')
    .limit(limit)
    .execute()
}

/** Removes items that were read, unless they were reported again meanwhile. Locks them in the order in which events do. */
export async function removeReports(tx: WriteTx, tracker: string, read: readonly ReportedItem[]): Promise<void> {
  const inOrder = [...read].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const { key, reports, reported_at } of inOrder)
    await itemTables(tx)
      .deleteFrom('reported_item')
      .where('tracker', '=', tracker)
      .where('key', '=', key)
      .where('reports', '=', reports)
      .where('reported_at', '=', reported_at)
      .execute()
}
