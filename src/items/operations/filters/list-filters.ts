import * as z from 'zod'
import { operation, orderedById } from '../../../kernel'
import { listFilters as readFilters } from '../../queries'
import { SavedFilter } from '../../schemas'
import type { WorkspaceContext } from '../../services/workspace-context'

export const listFilters = operation({
  id: 'filters.list',
  summary: 'List the saved filters of cached items',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: z.array(SavedFilter),
  errors: [],
  http: { method: 'get', path: '/api/helper/filters', cacheable: () => true },
  listOrder: () => orderedById,
  cli: { command: 'filter list', examples: ['studio filter list'], seeAlso: ['filter save', 'item list'] },
  run: (ctx: WorkspaceContext) => ctx.db.read(readFilters),
})
