import { chunksOf } from '../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { StateCategory } from '../../tracker'
import type { FileSource } from '../schemas'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'

export async function insertFileImport(
  tx: WriteTx,
  { name, asOf, importedAt }: FileSource,
  tracker: string | null,
): Promise<number> {
  const row = { name, as_of: asOf, imported_at: importedAt, tracker }
  const { id } = await itemTables(tx).insertInto('file_import').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The files that the rows were read from, by their ID. */
export async function findFileSources(
  tx: ReadTx,
  rows: readonly { file_import_id: number | null }[],
): Promise<Map<number | null, FileSource>> {
  const sources = new Map<number | null, FileSource>()
  const ids = [...new Set(rows.flatMap((row) => row.file_import_id ?? []))]
  for (const chunk of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    const found = await itemTables(tx).selectFrom('file_import').selectAll().where('id', 'in', chunk).execute()
    for (const row of found) sources.set(row.id, { name: row.name, asOf: row.as_of, importedAt: row.imported_at })
  }
  return sources
}

/** The trackers that the files of cached items name. */
export async function listFileTrackers(tx: ReadTx): Promise<string[]> {
  const rows = await itemTables(tx)
    .selectFrom('file_import')
    .select('tracker')
    .distinct()
    .where('tracker', 'is not', null)
    .where('id', 'in', (inner) =>
      inner.selectFrom('work_item').select('file_import_id').where('file_import_id', 'is not', null).distinct(),
    )
    .execute()
  return rows.map(({ tracker }) => tracker!)
}

/** The name of a file that a cached item was read from; null if there is none. */
export async function findAnySourceFile(tx: ReadTx): Promise<string | null> {
  const row = await itemTables(tx)
    .selectFrom('work_item')
    .innerJoin('file_import', 'file_import.id', 'work_item.file_import_id')
    .select('file_import.name')
    .limit(1)
    .executeTakeFirst()
  return row?.name ?? null
}

/** Records that a later file has the items as they are cached. */
export async function markConfirmedByFile(
  tx: WriteTx,
  ids: readonly number[],
  { at, fileImportId }: { at: string; fileImportId: number },
): Promise<void> {
  for (const chunk of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    await itemTables(tx)
      .updateTable('work_item')
      .set({ fetched_at: at, file_import_id: fileImportId })
      .where('id', 'in', chunk)
      .execute()
  }
}

/** Levels by type and categories by `stateKey`, as the tracker reported them with the cached items. */
interface KnownProcess {
  levels: Map<string, number>
  categories: Map<string, StateCategory>
}

export function stateKey(type: string, state: string): string {
  return JSON.stringify([type, state])
}

export async function loadKnownProcess(tx: ReadTx): Promise<KnownProcess> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select(['type', 'level', 'state', 'state_category'])
    .distinct()
    .where('file_import_id', 'is', null)
    .execute()
  const known: KnownProcess = { levels: new Map(), categories: new Map() }
  for (const { type, level, state, state_category } of rows) {
    if (level !== null) known.levels.set(type, level)
    if (state_category !== null) known.categories.set(stateKey(type, state), state_category as StateCategory)
  }
  return known
}
