import * as z from 'zod'
import { inputError, operation } from '../../kernel'
import { clearWorkingFilter, replaceWorkingFilter } from '../queries'
import { isEmptyCriteria, overrideCriteria, toCriteria } from '../rules/filter-criteria'
import { WorkingFilter } from '../schemas'
import { FilterInput } from '../services/filter-input'
import { loadFilterCriteria, loadWorkingFilter, toItemFilter } from '../services/filters'
import type { WorkspaceContext } from '../services/workspace-context'
import { criteriaFlags } from './criteria-flags'

export const setWorkingFilter = operation({
  id: 'filters.set-working',
  summary: 'Keep a working filter',
  description:
    'It takes the place of the one before, whole. A saved filter can be its start; criteria that are given take the place of its own.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    criteria: FilterInput.optional(),
    saved: z.string().min(1).optional().describe('A saved filter, by ID or name'),
  }),
  output: WorkingFilter,
  errors: ['not_found'],
  http: {
    method: 'put',
    path: '/api/helper/working-filter',
    extension: true,
    example: { criteria: { state: 'Active' } },
  },
  cli: {
    command: 'filter working',
    whenFlag: ['state', 'assigned-to', 'search', 'saved'],
    ...criteriaFlags,
    examples: [],
  },
  async run(ctx: WorkspaceContext, { criteria, saved }) {
    if (!criteria && saved === undefined) throw inputError([{ path: 'criteria', message: 'is required' }])
    return ctx.db.write(async (tx) => {
      const start = saved === undefined ? toCriteria({}) : await loadFilterCriteria(tx, saved)
      const wanted = overrideCriteria(start, criteria ?? {})
      toItemFilter(wanted, ctx.user)
      if (isEmptyCriteria(wanted)) await clearWorkingFilter(tx)
      else await replaceWorkingFilter(tx, wanted, new Date(ctx.clock.now()).toISOString())
      return loadWorkingFilter(tx, ctx.user)
    })
  },
})
