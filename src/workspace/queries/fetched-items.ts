import type { ReadTx, WriteTx } from '../../storage'
import type { TrackerItem } from '../../tracker'
import type { Predecessor } from '../rules/blocked'
import type { WorkItemTable } from '../tables'
import { touch, workspaceTables } from './version'

/** Keeps the item as it was fetched, and a snapshot of it where it was not seen in this shape before. */
export async function saveFetchedItem(
  tx: WriteTx,
  item: TrackerItem,
  seen: { predecessors: readonly Predecessor[]; at: string },
): Promise<void> {
  const row: WorkItemTable = {
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
    predecessors: JSON.stringify(seen.predecessors),
    blocked_field: item.blockedField ? 1 : 0,
    description: item.description?.text ?? null,
    description_format: item.description?.format ?? null,
    acceptance_criteria: item.acceptanceCriteria?.text ?? null,
    acceptance_format: item.acceptanceCriteria?.format ?? null,
    url: item.url,
    changed_at: item.changedAt,
    relations_fingerprint: item.relationsFingerprint,
    remote_rev: item.rev,
    fetched_at: seen.at,
  }
  const { id: _, ...changed } = row
  await workspaceTables(tx)
    .insertInto('work_item')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute()
  await recordSnapshot(tx, item, seen.at)
  await touch(tx)
}

/** That the item was read again and found as it was kept. */
export async function noteFetched(tx: WriteTx, id: number, at: string): Promise<void> {
  await workspaceTables(tx).updateTable('work_item').set({ fetched_at: at }).where('id', '=', id).execute()
}

async function recordSnapshot(tx: WriteTx, item: TrackerItem, at: string): Promise<void> {
  const last = await workspaceTables(tx)
    .selectFrom('snapshot')
    .select(['rev', 'relations_fingerprint'])
    .where('item_id', '=', item.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last && last.rev === item.rev && last.relations_fingerprint === item.relationsFingerprint) return
  await workspaceTables(tx)
    .insertInto('snapshot')
    .values({
      item_id: item.id,
      rev: item.rev,
      relations_fingerprint: item.relationsFingerprint,
      fields: JSON.stringify(item.fields),
      recorded_at: at,
    })
    .execute()
}

/** The fields of the latest snapshot, as the tracker gave them. */
export async function latestFields(tx: ReadTx, itemId: number): Promise<Record<string, unknown> | null> {
  const row = await workspaceTables(tx)
    .selectFrom('snapshot')
    .select('fields')
    .where('item_id', '=', itemId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? (JSON.parse(row.fields) as Record<string, unknown>) : null
}
