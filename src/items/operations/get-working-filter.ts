import * as z from 'zod'
import { operation } from '../../kernel'
import { WorkingFilter } from '../schemas'
import type { WorkspaceContext } from '../services/context'
import { workingFilter } from '../services/filters'

export const getWorkingFilter = operation({
  id: 'filters.working',
  summary: 'Show, set or clear the working filter, and count the cached items that pass it',
  description:
    'The working filter applies where it is named: item list --filter working (over HTTP ?filter=working), and filter save without criteria of its own. Other commands do not use it. Without a working filter the criteria are empty, and every item passes.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: WorkingFilter,
  errors: [],
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
  run: (ctx: WorkspaceContext) => ctx.db.read((tx) => workingFilter(tx, ctx.user)),
})
