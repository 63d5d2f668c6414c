import * as z from 'zod'
import { Instant } from '../../items'
import { type Context, operation, runInTurns } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { buildFigures } from '../rules/figures'
import { Figures, OnlyTracker } from '../schemas'
import { loadReportData } from '../services/load-report'

export const reportSummary = operation({
  id: 'reports.summary',
  summary: 'Summarize the workspace for a leader: progress, risks, blockers, changes, pace and stale work',
  description:
    'Days are counted back from asOf, the newest time in the workspace. Throughput and cycle times are given if the history of ' +
    'the items allows it. The field rules explains how each figure is made.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({ tracker: OnlyTracker }),
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
    out: { about: 'Write the report into this file instead' },
    seeAlso: ['report hierarchy', 'brief', 'priorities set'],
  },
  async run(ctx: Context & StorageContext, { tracker }) {
    const { items, ...known } = await loadReportData(ctx, { ids: [], field: '', since: null, tracker })
    const figures = await runInTurns(buildFigures(items, known), ctx.signal)
    return { generatedAt: formatInstant(ctx.clock.now()), ...figures }
  },
})
