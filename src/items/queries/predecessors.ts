import { chunksOf } from '../../kernel/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { Predecessor } from '../rules/blockers'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'
import { incrementWorkspaceVersion } from './workspace-version'

export interface DependentItem {
  id: number
  predecessors: Predecessor[]
}

/** The kept items that wait for another one. */
export async function listDependentItems(tx: ReadTx): Promise<DependentItem[]> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select(['id', 'predecessors'])
    .where('predecessors', '<>', '[]')
    .orderBy('id')
    .execute()
  return rows.map(({ id, predecessors }) => ({ id, predecessors: JSON.parse(predecessors) as Predecessor[] }))
}

/** Those of `ids` that are kept here themselves. */
export async function findCachedIds(tx: ReadTx, ids: readonly number[]): Promise<Set<number>> {
  const kept = new Set<number>()
  for (const part of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    const rows = await itemTables(tx).selectFrom('work_item').select('id').where('id', 'in', part).execute()
    for (const { id } of rows) kept.add(id)
  }
  return kept
}

export async function savePredecessors(tx: WriteTx, items: readonly DependentItem[]): Promise<void> {
  for (const { id, predecessors } of items) {
    await itemTables(tx)
      .updateTable('work_item')
      .set({ predecessors: JSON.stringify(predecessors) })
      .where('id', '=', id)
      .execute()
  }
  if (items.length > 0) await incrementWorkspaceVersion(tx)
}
