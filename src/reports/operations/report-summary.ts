import * as z from 'zod'
import { Instant } from '../../items'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { figuresOf } from '../rules/figures'
import { Figures } from '../schemas'
import { loadWork } from '../services/load'

export const reportSummary = operation({
  id: 'reports.summary',
  summary: 'Sum up the workspace for a leader: progress, risks, blockers, what moved, how fast, and what did not',
  description:
    'Days are counted back from asOf, the newest moment that the workspace knows of. Throughput and cycle times are told where ' +
    'the history of the items allows. The field rules says in words how each figure is made.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({}),
  output: Figures.extend({ generatedAt: Instant }),
  errors: [],
  http: { method: 'get', path: '/api/reporting/leadership-summary' },
  cli: {
    command: 'report summary',
    examples: [
      'studio report summary',
      'studio report summary --json --fields totals,features',
      'studio report summary --format html --out summary.html',
    ],
    out: { about: 'write the report into this file instead' },
    seeAlso: ['report hierarchy', 'brief', 'priorities set'],
  },
  async run(ctx: Context & StorageContext) {
    const { items, ...known } = await loadWork(ctx, { ids: [], field: '', since: null })
    return { generatedAt: new Date(ctx.clock.now()).toISOString(), ...figuresOf(items, known) }
  },
})
