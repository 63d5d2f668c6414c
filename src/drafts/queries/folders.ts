import { noteFolders, noteGone } from '../../items/queries/changes'
import { touch, workspaceTables } from '../../items/queries/version'
import type { Folder } from '../../items/schemas'
import type { ReadTx, WriteTx } from '../../storage'

export async function listFolders(tx: ReadTx): Promise<Folder[]> {
  const rows = await workspaceTables(tx)
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
  return (
    (await workspaceTables(tx).selectFrom('folder').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  )
}

export async function insertFolder(
  tx: WriteTx,
  { name, parentId }: Pick<Folder, 'name' | 'parentId'>,
): Promise<Folder> {
  const { id } = await workspaceTables(tx)
    .insertInto('folder')
    .values({ name, parent_id: parentId })
    .returning('id')
    .executeTakeFirstOrThrow()
  noteFolders(tx, [{ id, name, parent_id: parentId }])
  await touch(tx)
  return { id, name, parentId, draftCount: 0 }
}

export async function updateFolder(tx: WriteTx, { id, name, parentId }: Folder): Promise<void> {
  await workspaceTables(tx).updateTable('folder').set({ name, parent_id: parentId }).where('id', '=', id).execute()
  noteFolders(tx, [{ id, name, parent_id: parentId }])
  await touch(tx)
}

/** Its subfolders go one level up. There must be no drafts in it. */
export async function deleteFolder(tx: WriteTx, { id, parentId }: Folder): Promise<void> {
  const db = workspaceTables(tx)
  const subfolders = db.updateTable('folder').set({ parent_id: parentId }).where('parent_id', '=', id)
  noteFolders(tx, await subfolders.returning(['id', 'name', 'parent_id']).execute())
  await db.deleteFrom('folder').where('id', '=', id).execute()
  noteGone(tx, 'folder', id)
  await touch(tx)
}
