import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { availableFeatures } from '../rules/priorities'
import { Priorities } from '../schemas'
import { loadItems } from '../services/load'

export const getPriorities = operation({
  id: 'priorities.get',
  summary: 'Show which features come first in reports, and which there are',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: Priorities,
  errors: [],
  http: { method: 'get', path: '/api/planner/priorities-config' },
  cli: {
    command: 'priorities get',
    examples: ['studio priorities get', 'studio priorities get --json --fields designated'],
    seeAlso: ['priorities set', 'report summary', 'brief'],
  },
  async run(ctx: Context & StorageContext) {
    const { items, designated } = await loadItems(ctx, { ids: [], field: '' })
    return { designated, available: availableFeatures(items, designated) }
  },
})
