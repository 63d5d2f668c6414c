import * as z from 'zod'
import { operation } from '../../../kernel'
import { clearWorkingFilter as removeWorkingFilter } from '../../queries'
import { WorkingFilter } from '../../schemas'
import { loadWorkingFilter } from '../../services/filters'
import type { WorkspaceContext } from '../../services/workspace-context'

export const clearWorkingFilter = operation({
  id: 'filters.clear-working',
  summary: 'Clear the working filter',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({}),
  output: WorkingFilter,
  errors: [],
  http: { method: 'delete', path: '/api/helper/working-filter', extension: true },
  cli: {
    command: 'filter working',
    whenFlag: 'clear',
    extraFlags: [{ flag: '--clear', about: 'Clear it' }],
    toInput: () => ({}),
    examples: [],
  },
  run: (ctx: WorkspaceContext) =>
    ctx.db.write(async (tx) => {
      await removeWorkingFilter(tx)
      return loadWorkingFilter(tx, ctx)
    }),
})
