import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { inputError, operation } from '../../kernel'
import { updateFolder as changeFolder } from '../queries'
import { Folder, FolderId, FolderName } from '../schemas'
import { requireFolder, requireFolderWithTree } from '../services/require-draft'

export const updateFolder = operation({
  id: 'folders.update',
  summary: 'Rename a folder or move it to another one',
  description: 'Changes only what you send. A folder cannot be moved into itself or into one of its own subfolders.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    id: FolderId,
    name: FolderName.optional(),
    parentId: FolderId.nullable().optional().describe('The folder to move it to; null moves it to the top level'),
  }),
  output: Folder,
  errors: ['not_found'],
  http: { method: 'patch', path: '/api/folders/{id}', extension: true },
  cli: {
    command: 'folder rename',
    args: ['id', 'name'],
    flags: { parentId: { name: 'parent', value: 'id', about: 'Move it to this folder' } },
    extraFlags: [{ flag: '--top', about: 'Move it to the top level' }],
    toInput: ({ top, ...typed }) => (top ? { ...typed, parentId: null } : typed),
    examples: ['studio folder rename 1 "My drafts"'],
    seeAlso: ['folder list', 'folder create'],
  },
  async run(ctx: WorkspaceContext, { id, name, parentId }) {
    return ctx.db.write(async (tx) => {
      const { folder, folders } = await requireFolderWithTree(tx, id)
      if (typeof parentId === 'number') {
        await requireFolder(tx, parentId)
        if (isInFolder(folders, parentId, id)) {
          throw inputError([{ path: 'parentId', message: 'must not be the folder itself or one of its subfolders' }])
        }
      }
      const changed = {
        ...folder,
        name: name ?? folder.name,
        parentId: parentId === undefined ? folder.parentId : parentId,
      }
      await changeFolder(tx, changed)
      return changed
    })
  },
})

/** Whether a folder is `ancestor` itself or below it. Ends even if the folders form a cycle. */
export function isInFolder(folders: readonly Pick<Folder, 'id' | 'parentId'>[], id: number, ancestor: number): boolean {
  const parents = new Map(folders.map((folder) => [folder.id, folder.parentId]))
  const seen = new Set<number>()
  for (let at: number | null | undefined = id; at != null && !seen.has(at); at = parents.get(at)) {
    if (at === ancestor) return true
    seen.add(at)
  }
  return false
}
