import * as z from 'zod'
import { hint, inputError, operation, StudioError, suggest } from '../../kernel'
import { findWorkingFilter, insertFilter, listFilters } from '../queries'
import { isEmptyCriteria, toCriteria } from '../rules/filter-criteria'
import { SavedFilter } from '../schemas'
import { FilterInput, filterName } from '../services/filter-input'
import type { WorkspaceContext } from '../services/workspace-context'
import { criteriaFlags } from './criteria-flags'

export const saveFilter = operation({
  id: 'filters.save',
  summary: 'Save a filter of cached items under a name',
  description: 'Without criteria it is the working filter that is saved.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    name: filterName,
    criteria: FilterInput.optional().describe('At least one criterion; without them: those of the working filter'),
  }),
  output: SavedFilter,
  errors: ['conflict'],
  http: { method: 'post', path: '/api/helper/filters', extension: true },
  cli: {
    command: 'filter save',
    args: ['name'],
    ...criteriaFlags,
    examples: ['studio filter save "My open work" --state Active --assigned-to @me'],
    seeAlso: ['filter list', 'filter working', 'item list'],
  },
  async run(ctx: WorkspaceContext, { name, criteria }) {
    return ctx.db.write(async (tx) => {
      const wanted = criteria ? toCriteria(criteria) : ((await findWorkingFilter(tx))?.criteria ?? toCriteria({}))
      if (isEmptyCriteria(wanted)) {
        throw inputError(
          [{ path: 'criteria', message: 'must hold a criterion, as there is no working filter to save' }],
          'Give one: a state, an assignee (assignedTo) or a text (search).',
        )
      }
      const taken = (await listFilters(tx)).find((filter) => filter.name.toLowerCase() === name.toLowerCase())
      if (taken) {
        throw new StudioError('conflict', `There is a filter named ${taken.name} already.`, {
          hint: hint`Choose another name, or delete that one first: ${suggest('filters.delete', { id: taken.id })}`,
        })
      }
      return insertFilter(tx, { name, criteria: wanted, createdAt: new Date(ctx.clock.now()).toISOString() })
    })
  },
})
