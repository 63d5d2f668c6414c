import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { operation } from '../../kernel'
import { insertFolder } from '../queries'
import { Folder, FolderId, FolderName } from '../schemas'
import { requireFolder } from '../services/require-draft'

export const createFolder = operation({
  id: 'folders.create',
  summary: 'Create a folder for drafts',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    name: FolderName,
    parentId: FolderId.nullable().default(null).describe('The parent folder (default: top level)'),
  }),
  output: Folder,
  errors: ['not_found'],
  http: { method: 'post', path: '/api/folders', extension: true },
  cli: {
    command: 'folder create',
    args: ['name'],
    flags: { parentId: { name: 'parent', value: 'id' } },
    examples: ['studio folder create "For the vendor"'],
    seeAlso: ['folder list', 'draft move'],
  },
  async run(ctx: WorkspaceContext, { name, parentId }) {
    return ctx.db.write(async (tx) => {
      if (parentId !== null) await requireFolder(tx, parentId)
      return insertFolder(tx, { name, parentId })
    })
  },
})
