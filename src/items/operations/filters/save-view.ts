import * as z from 'zod'
import { operation, storableText } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import { insertFilter } from '../../queries'
import { DEFAULT_COLUMNS } from '../../rules/item-columns'
import { toCriteria } from '../../rules/item-filter'
import { SavedView } from '../../schemas'
import { nameColumns, requireSortFields } from '../../services/custom-fields'
import { criteriaFlags, FilterInput, filterNeeds, loadFilterCriteria, requireFreeName } from '../../services/filters'
import { ItemColumns, ItemSort } from '../../services/item-sort'
import type { WorkspaceContext } from '../../services/workspace-context'

export const saveView = operation({
  id: 'views.save',
  summary: 'Save a filter, columns and an order of cached items under a name',
  description: 'The view copies the criteria of a saved filter; other criteria override those.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    name: storableText(200).trim().min(1).describe('Name of the view'),
    filter: z.string().min(1).optional().describe('A saved filter or view by ID or name, or "working", to copy'),
    criteria: FilterInput.optional(),
    columns: ItemColumns.optional().describe('Fields to show'),
    sort: ItemSort.optional().describe(
      'Fields to sort by: state,-changedAt; also fields of the tracker by display name',
    ),
  }),
  fieldNeeds: filterNeeds,
  output: SavedView,
  errors: ['conflict', 'not_found'],
  http: { method: 'post', path: '/api/helper/views', extension: true },
  cli: {
    command: 'view save',
    args: ['name'],
    ...criteriaFlags,
    flags: {
      ...criteriaFlags.flags,
      sort: { repeatable: true, value: 'fields' },
      columns: { value: 'fields', about: 'Columns, separated by commas' },
    },
    examples: [
      'studio view save sprint --iteration @current --state open --columns id,state,assignee,title --sort state,-points',
      'studio view save "My bugs" --type bug --assigned-to tanaka',
    ],
    seeAlso: ['view list', 'item list', 'filter save'],
  },
  run: (ctx: WorkspaceContext, { name, filter, criteria, columns, sort }) =>
    ctx.db.write(async (tx) => {
      const base = filter === undefined ? undefined : await loadFilterCriteria(tx, filter)
      await requireFreeName(tx, name)
      await requireSortFields(tx, sort)
      const saved = { name, criteria: toCriteria(criteria ?? {}, base), createdAt: formatInstant(ctx.clock.now()) }
      const view = { columns: await nameColumns(tx, columns ?? DEFAULT_COLUMNS), sort: sort ?? null }
      return { id: await insertFilter(tx, saved, view), ...saved, ...view }
    }),
})
