import * as z from 'zod'
import { inputError, operation, storableText } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import { findWorkingFilter, insertFilter } from '../../queries'
import { isEmptyCriteria, toCriteria } from '../../rules/item-filter'
import { SavedFilter } from '../../schemas'
import { criteriaFlags, FilterInput, filterNeeds, requireFreeName } from '../../services/filters'
import type { WorkspaceContext } from '../../services/workspace-context'

export const saveFilter = operation({
  id: 'filters.save',
  summary: 'Save a filter of cached items under a name',
  description: 'Without criteria, saves the working filter.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    name: storableText(200).trim().min(1).describe('Name of the filter'),
    criteria: FilterInput.optional().describe('At least one criterion (default: those of the working filter)'),
  }),
  fieldNeeds: filterNeeds,
  output: SavedFilter,
  errors: ['conflict'],
  http: { method: 'post', path: '/api/helper/filters', extension: true },
  cli: {
    command: 'filter save',
    args: ['name'],
    ...criteriaFlags,
    examples: ['studio filter save "My open work" --state Active --assigned-to @me'],
    seeAlso: ['filter list', 'filter working', 'view save', 'item list'],
  },
  async run(ctx: WorkspaceContext, { name, criteria }) {
    return ctx.db.write(async (tx) => {
      const toSave = toCriteria(criteria ?? (await findWorkingFilter(tx))?.criteria ?? {})
      if (isEmptyCriteria(toSave)) {
        throw inputError(
          [{ path: 'criteria', message: 'must have a criterion, because there is no working filter to save' }],
          'Pass a state, an assignee (assignedTo), a text (search) or another criterion.',
        )
      }
      await requireFreeName(tx, name)
      const filter = { name, criteria: toSave, createdAt: formatInstant(ctx.clock.now()) }
      return { id: await insertFilter(tx, filter), ...filter }
    })
  },
})
