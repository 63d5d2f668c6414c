import { sql } from 'kysely'
import { chunksOf } from '../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { TrackerItem } from '../../tracker'
import type { Snapshot } from '../rules/compare-snapshots'
import { findPeopleInFields } from '../rules/snapshot-fields'
import type { SnapshotTable } from '../tables/work-item-tables'
import { findFileSources } from './file-imports'
import { type CompileInsert, insertRows, itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'

type Fields = Record<string, unknown>

/** A snapshot without its fields. */
export interface SnapshotSize {
  id: number
  rev: number
  bytes: number
}

/** Every snapshot of an item, oldest first. */
export async function listSnapshotSizes(tx: ReadTx, itemId: number): Promise<SnapshotSize[]> {
  return itemTables(tx)
    .selectFrom('snapshot')
    .select(['id', 'rev', sql<number>`octet_length(fields)`.as('bytes')])
    .where('item_id', '=', itemId)
    .orderBy('id')
    .execute()
}

/** The snapshots with these IDs, oldest first. */
export async function findSnapshots(tx: ReadTx, ids: readonly number[]): Promise<Snapshot[]> {
  const rows = await itemTables(tx).selectFrom('snapshot').selectAll().where('id', 'in', ids).orderBy('id').execute()
  const sources = await findFileSources(tx, rows)
  return rows.map((row) => ({
    rev: row.rev,
    relationsFingerprint: row.relations_fingerprint,
    fields: JSON.parse(row.fields) as Fields,
    recordedAt: row.recorded_at,
    fromFile: sources.get(row.file_import_id) ?? null,
  }))
}

const compileInsert: CompileInsert<Omit<SnapshotTable, 'id'>> = (tx, rows) =>
  itemTables(tx)
    .insertInto('snapshot')
    .values([...rows])
    .compile()

export async function insertSnapshots(
  tx: WriteTx,
  items: readonly TrackerItem[],
  at: string,
  fileImportId: number | null = null,
): Promise<void> {
  const rows = items.map((item) => ({
    item_id: item.id,
    rev: item.rev,
    relations_fingerprint: item.relationsFingerprint,
    fields: JSON.stringify(item.fields),
    recorded_at: at,
    file_import_id: fileImportId,
  }))
  await insertRows(tx, compileInsert, rows)
}

/** The fields of the latest snapshot of each item, by item ID. */
export async function findLatestFields(tx: ReadTx, itemIds: readonly number[]): Promise<Map<number, Fields>> {
  const found = new Map<number, Fields>()
  for (const chunk of chunksOf(itemIds, MAX_IDS_PER_STATEMENT)) {
    const rows = await itemTables(tx)
      .selectFrom('snapshot')
      .select(['item_id', 'fields'])
      .where('id', 'in', (inner) =>
        inner
          .selectFrom('snapshot as latest')
          .select((eb) => eb.fn.max('latest.id').as('id'))
          .where('latest.item_id', 'in', chunk)
          .groupBy('latest.item_id'),
      )
      .execute()
    for (const { item_id, fields } of rows) found.set(item_id, JSON.parse(fields) as Fields)
  }
  return found
}

/** The fields of an item at a revision; null if there is no snapshot of it. */
export async function findFieldsAtRevision(tx: ReadTx, itemId: number, rev: number): Promise<Fields | null> {
  const row = await itemTables(tx)
    .selectFrom('snapshot')
    .select('fields')
    .where('item_id', '=', itemId)
    .where('rev', '=', rev)
    .where('file_import_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? (JSON.parse(row.fields) as Fields) : null
}

interface RelatedItem {
  id: number
  parentId: number | null
  predecessorIds: readonly number[]
}

/**
 * The names of people that the texts of an item may contain: every assignee of the workspace, and the authors and mentions of the item
 * and of its cached parent, siblings, children and predecessors.
 */
export async function findRelatedPeople(tx: ReadTx, { id, parentId, predecessorIds }: RelatedItem): Promise<string[]> {
  const tables = itemTables(tx)
  const assignees = await tables
    .selectFrom('work_item')
    .select(['assigned_name', 'assigned_account'])
    .distinct()
    .where('assigned_name', 'is not', null)
    .execute()
  const parents = parentId === null ? [id] : [id, parentId]
  const below = await tables.selectFrom('work_item').select('id').where('parent_id', 'in', parents).execute()
  const relatives = new Set([...parents, ...predecessorIds, ...below.map((row) => row.id)])
  const fields = await findLatestFields(tx, [...relatives])
  const people = [
    ...assignees.flatMap((row) => [row.assigned_name, row.assigned_account]),
    ...[...fields.values()].flatMap(findPeopleInFields),
  ]
  return [...new Set(people.filter((name) => name !== null && name !== ''))] as string[]
}
