import * as z from 'zod'
import type { WorkspaceContext } from '../../items'
import { operation, orderedById } from '../../kernel'
import { listFolders as readFolders } from '../queries'
import { Folder } from '../schemas'

export const listFolders = operation({
  id: 'folders.list',
  summary: 'List the folders of drafts',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: z.array(Folder),
  errors: [],
  http: { method: 'get', path: '/api/folders', extension: true, cacheable: () => true },
  listOrder: () => orderedById,
  cli: { command: 'folder list', examples: ['studio folder list'], seeAlso: ['draft list'] },
  run: (ctx: WorkspaceContext) => ctx.db.read(readFolders),
})
