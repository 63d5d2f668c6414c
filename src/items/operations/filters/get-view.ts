import * as z from 'zod'
import { operation } from '../../../kernel'
import { SavedView } from '../../schemas'
import { requireView, ViewName } from '../../services/filters'
import type { WorkspaceContext } from '../../services/workspace-context'

export const getView = operation({
  id: 'views.get',
  summary: 'Show the filter, columns and order of a saved view',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ view: ViewName }),
  output: SavedView,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/helper/views/{view}', extension: true, cacheable: () => true },
  cli: {
    command: 'view show',
    args: ['view'],
    examples: ['studio view show sprint'],
    seeAlso: ['view list', 'item list'],
  },
  run: (ctx: WorkspaceContext, { view }) => ctx.db.read((tx) => requireView(tx, view)),
})
