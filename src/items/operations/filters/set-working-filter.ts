import * as z from 'zod'
import { inputError, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import { clearWorkingFilter, replaceWorkingFilter } from '../../queries'
import { isEmptyCriteria, toCriteria } from '../../rules/item-filter'
import { WorkingFilter } from '../../schemas'
import {
  CRITERIA_FLAGS,
  criteriaFlags,
  FilterInput,
  filterNeeds,
  loadFilterCriteria,
  loadWorkingFilter,
} from '../../services/filters'
import { requireUser } from '../../services/find-items'
import type { WorkspaceContext } from '../../services/workspace-context'

export const setWorkingFilter = operation({
  id: 'filters.set-working',
  summary: 'Set the working filter',
  description:
    'Replaces the previous working filter. It can start from a saved filter; other criteria override those of the saved filter.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    criteria: FilterInput.optional(),
    saved: z.string().min(1).optional().describe('A saved filter, by ID or name'),
  }),
  fieldNeeds: filterNeeds,
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
    whenFlag: [...CRITERIA_FLAGS, 'saved'],
    ...criteriaFlags,
    examples: [],
  },
  async run(ctx: WorkspaceContext, { criteria, saved }) {
    if (!criteria && saved === undefined) throw inputError([{ path: 'criteria', message: 'is required' }])
    return ctx.db.write(async (tx) => {
      const base = saved === undefined ? undefined : await loadFilterCriteria(tx, saved)
      const combined = toCriteria(criteria ?? {}, base)
      requireUser(combined, ctx.user)
      if (isEmptyCriteria(combined)) await clearWorkingFilter(tx)
      else await replaceWorkingFilter(tx, combined, formatInstant(ctx.clock.now()))
      return loadWorkingFilter(tx, ctx)
    })
  },
})
