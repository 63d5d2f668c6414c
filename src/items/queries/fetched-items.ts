import { sql } from 'kysely'
import { chunksOf } from '../../kernel/chunks'
import type { WriteTx } from '../../storage'
import type { TrackerItem } from '../../tracker'
import type { WorkItemTable } from '../migrations'
import type { Predecessor } from '../rules/blockers'
import { recordChangedSearchables } from './changes'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'
import { type BulkInsert, insertRows } from './many-rows'
import { toSearchableItem } from './searchables'
import { insertSnapshots } from './snapshots'
import { incrementWorkspaceVersion } from './workspace-version'

/** An item as it was fetched, with the state of those it waits for. */
export interface FetchedItem {
  item: TrackerItem
  predecessors: readonly Predecessor[]
}

/** Keeps the item as it was fetched, and a snapshot of it. */
export async function saveFetchedItem(
  tx: WriteTx,
  item: TrackerItem,
  seen: { predecessors: readonly Predecessor[]; at: string },
): Promise<void> {
  await upsertItemRows(tx, [{ item, predecessors: seen.predecessors }], seen.at)
  await insertSnapshots(tx, [item], seen.at)
  await incrementWorkspaceVersion(tx)
}

/** Keeps the items as they were fetched, in place of what was kept of them before; `fileImportId` where a file told them. */
export async function upsertItemRows(
  tx: WriteTx,
  seen: readonly FetchedItem[],
  at: string,
  fileImportId: number | null = null,
): Promise<void> {
  const rows = seen.map((entry) => ({ ...toRow(entry, at), file_import_id: fileImportId }))
  await insertRows(tx, ITEM_INSERT, rows)
  recordChangedSearchables(tx, () => rows.map(toSearchableItem))
}

function toRow({ item, predecessors }: FetchedItem, at: string): Omit<WorkItemTable, 'file_import_id'> {
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

const COLUMNS = [
  'id',
  'rev',
  'type',
  'level',
  'title',
  'state',
  'state_category',
  'assigned_name',
  'assigned_account',
  'area_path',
  'iteration_path',
  'tags',
  'story_points',
  'priority',
  'parent_id',
  'predecessors',
  'blocked_field',
  'description',
  'description_format',
  'acceptance_criteria',
  'acceptance_format',
  'url',
  'changed_at',
  'relations_fingerprint',
  'remote_rev',
  'fetched_at',
  'file_import_id',
] as const satisfies readonly (keyof WorkItemTable)[]

/** Every column but the key, as the row that could not be inserted has it. */
const EXCLUDED_VALUES = Object.fromEntries(COLUMNS.slice(1).map((name) => [name, sql.ref(`excluded.${name}`)]))

const ITEM_INSERT: BulkInsert<WorkItemTable> = {
  columns: COLUMNS,
  statement: (tx, rows) =>
    itemTables(tx)
      .insertInto('work_item')
      .values([...rows])
      .onConflict((conflict) => conflict.column('id').doUpdateSet(EXCLUDED_VALUES))
      .compile(),
}

/** That the items were read again and found as they were kept. */
export async function markFetched(tx: WriteTx, ids: readonly number[], at: string): Promise<void> {
  for (const part of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    await itemTables(tx).updateTable('work_item').set({ fetched_at: at }).where('id', 'in', part).execute()
  }
}
