import { readTables } from '../../storage/embedded/engine/read-tables'
import type { DraftTable, FolderTable } from '../migrations'
import type { Folder } from '../schemas'

/** The answer of the operation `folders.list`, for a start that loads nothing else. Returns null and fails as `readTables` does. */
export function readFolderList({ database, steps }: { database: string; steps: number }): Promise<Folder[] | null> {
  return readTables(database, {
    steps,
    read(tables) {
      const drafts = new Map<number, number>()
      for (const { folder_id } of tables.all<Pick<DraftTable, 'folder_id'>>('draft', ['folder_id']))
        drafts.set(folder_id, (drafts.get(folder_id) ?? 0) + 1)
      const rows = tables.all<Omit<FolderTable, 'id'> & { id: number }>('folder', ['id', 'name', 'parent_id'])
      return [...rows].map(({ id, name, parent_id }) => ({
        id,
        name,
        parentId: parent_id,
        draftCount: drafts.get(id) ?? 0,
      }))
    },
  })
}
