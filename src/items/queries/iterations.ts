import { chunksOf } from '../../kernel/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { IterationTable } from '../migrations'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'

/** The last day of each iteration whose dates are known, by its path. */
export async function listIterationEnds(tx: ReadTx): Promise<Map<string, string>> {
  const rows = await itemTables(tx).selectFrom('iteration').select(['path', 'finish_date']).execute()
  return new Map(rows.flatMap(({ path, finish_date }) => (finish_date === null ? [] : [[path, finish_date]])))
}

export async function listIterations(tx: ReadTx): Promise<IterationTable[]> {
  return itemTables(tx).selectFrom('iteration').selectAll().orderBy('path').execute()
}

export async function replaceIterations(tx: WriteTx, rows: readonly IterationTable[]): Promise<void> {
  await itemTables(tx).deleteFrom('iteration').execute()
  for (const part of chunksOf(rows, MAX_IDS_PER_STATEMENT))
    await itemTables(tx).insertInto('iteration').values(part).execute()
}
