import { chunksOf } from '../../kernel/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { TrackerItem } from '../../tracker'
import type { SnapshotTable } from '../migrations'
import type { FileSource } from '../schemas'
import { findFileSources } from './file-imports'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'
import { type BulkInsert, insertRows } from './many-rows'

type Fields = Record<string, unknown>

/** An item as it once was. */
export interface Snapshot {
  id: number
  rev: number
  relationsFingerprint: string
  /** As the tracker gave them. */
  fields: Fields
  recordedAt: string
  /** The file that told it; null where the tracker did. */
  fromFile: FileSource | null
}

/** Every snapshot of an item, oldest first. */
export async function listSnapshots(tx: ReadTx, itemId: number): Promise<Snapshot[]> {
  const rows = await itemTables(tx)
    .selectFrom('snapshot')
    .selectAll()
    .where('item_id', '=', itemId)
    .orderBy('id')
    .execute()
  const sources = await findFileSources(
    tx,
    rows.map((row) => row.file_import_id),
  )
  return rows.map((row) => ({
    id: row.id,
    rev: row.rev,
    relationsFingerprint: row.relations_fingerprint,
    fields: JSON.parse(row.fields) as Fields,
    recordedAt: row.recorded_at,
    fromFile: sources.get(row.file_import_id) ?? null,
  }))
}

type SnapshotRow = Omit<SnapshotTable, 'id'>

const SNAPSHOT_INSERT: BulkInsert<SnapshotRow> = {
  columns: ['item_id', 'rev', 'relations_fingerprint', 'fields', 'recorded_at', 'file_import_id'],
  statement: (tx, rows) =>
    itemTables(tx)
      .insertInto('snapshot')
      .values([...rows])
      .compile(),
}

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
  await insertRows(tx, SNAPSHOT_INSERT, rows)
}

/** The fields of the latest snapshot, as the tracker gave them. */
export async function findLatestFields(tx: ReadTx, itemId: number): Promise<Fields | null> {
  return (await findLatestFieldsByItem(tx, [itemId])).get(itemId) ?? null
}

/** The same of many items. */
export async function findLatestFieldsByItem(tx: ReadTx, itemIds: readonly number[]): Promise<Map<number, Fields>> {
  const found = new Map<number, Fields>()
  for (const part of chunksOf(itemIds, MAX_IDS_PER_STATEMENT)) {
    const rows = await itemTables(tx)
      .selectFrom('snapshot')
      .select(['item_id', 'fields'])
      .where('id', 'in', (inner) =>
        inner
          .selectFrom('snapshot as latest')
          .select((eb) => eb.fn.max('latest.id').as('id'))
          .where('latest.item_id', 'in', part)
          .groupBy('latest.item_id'),
      )
      .execute()
    for (const { item_id, fields } of rows) found.set(item_id, JSON.parse(fields) as Fields)
  }
  return found
}
