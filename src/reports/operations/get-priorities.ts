import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { Priorities } from '../schemas'
import { describePriorities } from '../services/describe-priorities'
import { loadReportItems } from '../services/load-report'

export const getPriorities = operation({
  id: 'priorities.get',
  summary: 'Show which features come first in reports, and all available features',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: Priorities,
  errors: [],
  http: { method: 'get', path: '/api/planner/priorities-config', cacheable: () => true },
  cli: {
    command: 'priorities get',
    examples: ['studio priorities get', 'studio priorities get --json --fields designated'],
    seeAlso: ['priorities set', 'report summary', 'brief'],
  },
  async run(ctx: Context & StorageContext) {
    const { items, designated } = await loadReportItems(ctx, { ids: [], field: '' })
    return describePriorities(ctx, items, designated)
  },
})
