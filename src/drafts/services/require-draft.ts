import { hint, StudioError, suggest } from '../../kernel'
import type { ReadTx } from '../../storage'
import { findVersionedDraft, folderExists, listFolders, type VersionedDraft } from '../queries'
import type { Folder } from '../schemas'

export async function requireDraft(tx: ReadTx, id: number): Promise<VersionedDraft> {
  const found = await findVersionedDraft(tx, id)
  if (found) return found
  throw new StudioError('not_found', `There is no draft ${id}.`, {
    hint: hint`List the drafts: ${suggest('drafts.list')}`,
  })
}

export async function requireFolder(tx: ReadTx, id: number): Promise<void> {
  if (!(await folderExists(tx, id))) throw createFolderNotFoundError(id)
}

/** The folder and all folders. */
export async function requireFolderWithTree(tx: ReadTx, id: number): Promise<{ folder: Folder; folders: Folder[] }> {
  const folders = await listFolders(tx)
  const folder = folders.find((candidate) => candidate.id === id)
  if (folder) return { folder, folders }
  throw createFolderNotFoundError(id)
}

function createFolderNotFoundError(id: number): StudioError {
  return new StudioError('not_found', `There is no folder ${id}.`, {
    hint: hint`List the folders: ${suggest('folders.list')}`,
  })
}
