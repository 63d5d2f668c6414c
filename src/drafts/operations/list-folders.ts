import * as z from 'zod'
import { listFolders as readFolders } from '../../items/queries'
import { Folder } from '../../items/schemas'
import type { WorkspaceContext } from '../../items/services/context'
import { operation, orderedById } from '../../kernel'

export const listFolders = operation({
  id: 'folders.list',
  summary: 'List the folders of drafts',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: z.array(Folder),
  errors: [],
  http: { method: 'get', path: '/api/folders', extension: true },
  listOrder: () => orderedById,
  cli: { command: 'folder list', examples: ['studio folder list'], seeAlso: ['draft list'] },
  run: (ctx: WorkspaceContext) => ctx.db.read(readFolders),
})
