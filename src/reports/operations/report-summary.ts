import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { Instant, listCachedItems } from '../../workspace'
import { figuresOf } from '../rules/figures'
import { Figures } from '../schemas'

export const reportSummary = operation({
  id: 'reports.summary',
  summary: 'Sum up the workspace for a leader: progress, risks, blockers, what moved and what did not',
  description:
    'Days are counted back from asOf, the newest moment that the workspace knows of. The field rules says in words ' +
    'how each figure is made.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: Figures.extend({ generatedAt: Instant }),
  errors: [],
  http: { method: 'get', path: '/api/reporting/leadership-summary' },
  cli: {
    command: 'report summary',
    examples: ['studio report summary', 'studio report summary --json --fields totals,features'],
    seeAlso: ['report hierarchy', 'brief'],
  },
  async run(ctx: Context & StorageContext) {
    const items = await ctx.db.read(listCachedItems)
    return { generatedAt: new Date(ctx.clock.now()).toISOString(), ...figuresOf(items) }
  },
})
