import * as z from 'zod'
import { operation } from '../../../kernel'
import { WorkingFilter } from '../../schemas'
import { loadWorkingFilter } from '../../services/filters'
import type { WorkspaceContext } from '../../services/workspace-context'

export const getWorkingFilter = operation({
  id: 'filters.working',
  summary: 'Show, set or clear the working filter, and count the cached items that pass it',
  description:
    'The working filter applies where a list of items uses the filter "working", and where a filter is saved without criteria. Other operations do not use it. Without a working filter the criteria are empty, and every item passes.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: WorkingFilter,
  errors: [],
  // The number of items depends on the day if the filter uses @current, so that the answer cannot be cached.
  http: { method: 'get', path: '/api/helper/working-filter' },
  cli: {
    command: 'filter working',
    examples: [
      'studio filter working',
      'studio filter working --state Active --assigned-to "Mei Tanaka"',
      'studio filter working --clear',
    ],
    seeAlso: ['filter save', 'item list'],
  },
  run: (ctx: WorkspaceContext) => ctx.db.read((tx) => loadWorkingFilter(tx, ctx)),
})
