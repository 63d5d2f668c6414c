import type { Selectable } from 'kysely'
import {
  incrementWorkspaceVersion,
  recordChangedSearchables,
  recordRemovedSearchable,
  type Searchable,
} from '../../items'
import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { DraftTables, FolderTable } from '../migrations'
import type { Folder } from '../schemas'
import { NO_ITEM_FIELDS } from './drafts'

export async function listFolders(tx: ReadTx): Promise<Folder[]> {
  const rows = await tables<DraftTables>(tx)
    .selectFrom('folder')
    .leftJoin('draft', 'draft.folder_id', 'folder.id')
    .select(['folder.id', 'folder.name', 'folder.parent_id'])
    .select((eb) => eb.fn.count<number>('draft.id').as('drafts'))
    .groupBy(['folder.id', 'folder.name', 'folder.parent_id'])
    .orderBy('folder.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    parentId: row.parent_id,
    draftCount: Number(row.drafts),
  }))
}

export async function folderExists(tx: ReadTx, id: number): Promise<boolean> {
  const row = await tables<DraftTables>(tx).selectFrom('folder').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

export async function insertFolder(
  tx: WriteTx,
  { name, parentId }: Pick<Folder, 'name' | 'parentId'>,
): Promise<Folder> {
  const { id } = await tables<DraftTables>(tx)
    .insertInto('folder')
    .values({ name, parent_id: parentId })
    .returning('id')
    .executeTakeFirstOrThrow()
  recordChangedSearchables(tx, () => [toSearchableFolder({ id, name, parent_id: parentId })])
  await incrementWorkspaceVersion(tx)
  return { id, name, parentId, draftCount: 0 }
}

export async function updateFolder(tx: WriteTx, { id, name, parentId }: Folder): Promise<void> {
  await tables<DraftTables>(tx).updateTable('folder').set({ name, parent_id: parentId }).where('id', '=', id).execute()
  recordChangedSearchables(tx, () => [toSearchableFolder({ id, name, parent_id: parentId })])
  await incrementWorkspaceVersion(tx)
}

/** The folder must have no drafts. Its subfolders move one level up. */
export async function deleteFolder(tx: WriteTx, { id, parentId }: Folder): Promise<void> {
  const db = tables<DraftTables>(tx)
  const subfolders = db.updateTable('folder').set({ parent_id: parentId }).where('parent_id', '=', id)
  const moved = await subfolders.returning(['id', 'name', 'parent_id']).execute()
  recordChangedSearchables(tx, () => moved.map(toSearchableFolder))
  await db.deleteFrom('folder').where('id', '=', id).execute()
  recordRemovedSearchable(tx, 'folder', id)
  await incrementWorkspaceVersion(tx)
}

/** The folders among `ids`, in no order; at most 500 ids. */
export async function findSearchableFolders(tx: ReadTx, ids: readonly number[]): Promise<Searchable[]> {
  const rows = await tables<DraftTables>(tx).selectFrom('folder').selectAll().where('id', 'in', ids).execute()
  return rows.map(toSearchableFolder)
}

function toSearchableFolder(row: Selectable<FolderTable>): Searchable {
  return {
    type: 'folder',
    id: row.id,
    title: row.name,
    tags: [],
    description: null,
    acceptanceCriteria: null,
    ...NO_ITEM_FIELDS,
    assignedTo: null,
    areaPath: null,
    iterationPath: null,
    folderId: row.parent_id,
    updatedAt: null,
  }
}
