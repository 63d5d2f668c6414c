import { chunksOf } from '../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { IterationTable } from '../tables/tracker-tables'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'

/** The last day of each iteration that has dates, by path. */
export async function listIterationEnds(tx: ReadTx): Promise<Map<string, string>> {
  const rows = await listIterations(tx)
  return new Map(rows.flatMap(({ path, finish_date }) => (finish_date === null ? [] : [[path, finish_date]])))
}

/** The iterations of all trackers, or of one. */
export async function listIterations(tx: ReadTx, trackerId?: number): Promise<IterationTable[]> {
  const query = itemTables(tx)
    .selectFrom('tracker_iteration')
    .select(['tracker_id', 'path', 'start_date', 'finish_date'])
    .orderBy('path')
  return (trackerId === undefined ? query : query.where('tracker_id', '=', trackerId)).execute()
}

/** Whether an item is in an iteration. */
export async function hasPlannedItems(tx: ReadTx): Promise<boolean> {
  const row = await itemTables(tx)
    .selectFrom('work_item')
    .select('id')
    .where('iteration_path', '!=', '')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function replaceIterations(
  tx: WriteTx,
  trackerId: number,
  rows: readonly Omit<IterationTable, 'tracker_id'>[],
): Promise<void> {
  await itemTables(tx).deleteFrom('tracker_iteration').where('tracker_id', '=', trackerId).execute()
  for (const chunk of chunksOf(rows, MAX_IDS_PER_STATEMENT))
    await itemTables(tx)
      .insertInto('tracker_iteration')
      .values(chunk.map((row) => ({ ...row, tracker_id: trackerId })))
      .execute()
}
