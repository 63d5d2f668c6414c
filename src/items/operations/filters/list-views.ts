import * as z from 'zod'
import { operation, orderedById } from '../../../kernel'
import { listViews as readViews } from '../../queries'
import { SavedView } from '../../schemas'
import type { WorkspaceContext } from '../../services/workspace-context'

export const listViews = operation({
  id: 'views.list',
  summary: 'List the saved views of cached items',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: z.array(SavedView),
  errors: [],
  http: { method: 'get', path: '/api/helper/views', extension: true, cacheable: () => true },
  listOrder: () => orderedById,
  cli: { command: 'view list', examples: ['studio view list'], seeAlso: ['view save', 'item list'] },
  run: (ctx: WorkspaceContext) => ctx.db.read(readViews),
})
