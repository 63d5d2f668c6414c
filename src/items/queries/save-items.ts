import { sql } from 'kysely'
import { chunksOf } from '../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { TrackerItem } from '../../tracker'
import type { Predecessor } from '../rules/blockers'
import { createReference } from '../rules/item-reference'
import type { WorkItemTable } from '../tables/work-item-tables'
import { findTrackerNames } from './item-numbers'
import { type CompileInsert, insertRows, itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'
import { incrementWorkspaceVersion, recordChangedSearchables, toSearchableItem } from './searchables'

/** An item of the tracker, with the state of the items that it depends on. */
export interface FetchedItem {
  item: TrackerItem
  predecessors: readonly Predecessor[]
}

/** Inserts the items or replaces their rows. `fileImportId` names the file that they were read from, if it was not the tracker. */
export async function upsertItemRows(
  tx: WriteTx,
  items: readonly FetchedItem[],
  at: string,
  fileImportId: number | null = null,
): Promise<void> {
  const names = await findTrackerNames(
    tx,
    items.map(({ item }) => item.id),
  )
  const rows = items.map((fetched) => ({
    ...toRow(fetched, at),
    file_import_id: fileImportId,
    reference: createReference(fetched.item, names.get(fetched.item.id) ?? null),
  }))
  await insertRows(tx, compileUpsert, rows)
  recordChangedSearchables(tx, () => rows.map(toSearchableItem))
}

function toRow(
  { item, predecessors }: FetchedItem,
  at: string,
): Omit<WorkItemTable, 'file_import_id' | 'compared' | 'reference'> {
  return {
    id: item.id,
    rev: item.rev,
    type: item.type,
    level: item.level,
    title: item.title,
    state: item.state,
    state_category: item.stateCategory,
    assigned_name: item.assignedTo?.displayName ?? null,
    assigned_account: item.assignedTo?.uniqueName ?? null,
    area_path: item.areaPath,
    iteration_path: item.iterationPath,
    tags: JSON.stringify(item.tags),
    story_points: item.storyPoints,
    priority: item.priority,
    parent_id: item.parentId,
    predecessors: JSON.stringify(predecessors),
    blocked_field: item.blockedField ? 1 : 0,
    description: item.description?.text ?? null,
    description_format: item.description?.format ?? null,
    acceptance_criteria: item.acceptanceCriteria?.text ?? null,
    acceptance_format: item.acceptanceCriteria?.format ?? null,
    url: item.url,
    changed_at: item.changedAt,
    relations_fingerprint: item.relationsFingerprint,
    remote_rev: item.rev,
    fetched_at: at,
  }
}

const compileUpsert: CompileInsert<Omit<WorkItemTable, 'compared'>> = (tx, rows) => {
  const columns = Object.keys(rows[0]!).filter((name) => name !== 'id')
  const excluded = Object.fromEntries(columns.map((name) => [name, sql.ref(`excluded.${name}`)]))
  return itemTables(tx)
    .insertInto('work_item')
    .values([...rows])
    .onConflict((conflict) => conflict.column('id').doUpdateSet(excluded))
    .compile()
}

/** Records that the tracker still has the items as they are cached. */
export async function markFetched(tx: WriteTx, ids: readonly number[], at: string): Promise<void> {
  for (const chunk of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    await itemTables(tx).updateTable('work_item').set({ fetched_at: at }).where('id', 'in', chunk).execute()
  }
}

/** Records that a sync of all items of their tracker knew the items. It stays true when they are saved again. */
export async function markCompared(tx: WriteTx, ids: readonly number[]): Promise<void> {
  for (const chunk of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    await itemTables(tx).updateTable('work_item').set({ compared: 1 }).where('id', 'in', chunk).execute()
  }
}

/** A cached item that depends on others. */
export interface DependentItem {
  id: number
  predecessors: Predecessor[]
}

export async function listDependentItems(tx: ReadTx): Promise<DependentItem[]> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select(['id', 'predecessors'])
    .where('predecessors', '<>', '[]')
    .orderBy('id')
    .execute()
  return rows.map(({ id, predecessors }) => ({ id, predecessors: JSON.parse(predecessors) as Predecessor[] }))
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
