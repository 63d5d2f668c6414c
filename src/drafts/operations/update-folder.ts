import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { inputError, operation } from '../../kernel'
import { updateFolder as changeFolder } from '../queries'
import { isInFolder } from '../rules/folder-tree'
import { Folder, FolderId } from '../schemas'
import { folderName } from '../services/draft-input'
import { requireFolder, requireFolderWithTree } from '../services/require-draft'

export const updateFolder = operation({
  id: 'folders.update',
  summary: 'Rename a folder, or put it into another one',
  description: 'Only what is sent changes. A folder can lie neither in itself nor in one of its own subfolders.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    id: FolderId,
    name: folderName.optional(),
    parentId: FolderId.nullable().optional().describe('The folder to put it into; null puts it at the top'),
  }),
  output: Folder,
  errors: ['not_found'],
  http: { method: 'patch', path: '/api/folders/{id}', extension: true },
  cli: {
    command: 'folder rename',
    args: ['id', 'name'],
    flags: { parentId: { name: 'parent', value: 'id', about: 'put it into this folder' } },
    extraFlags: [{ flag: '--top', about: 'put it at the top, into no folder' }],
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
          throw inputError([{ path: 'parentId', message: 'must be neither the folder itself nor one that lies in it' }])
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
