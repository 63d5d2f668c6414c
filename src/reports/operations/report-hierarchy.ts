import * as z from 'zod'
import { Instant, ItemId } from '../../items'
import { type Context, operation, runInTurns } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { StorageContext } from '../../storage'
import { buildHierarchy, MAX_DEPTH } from '../rules/hierarchy'
import { FEATURES_RULE } from '../rules/item-forest'
import { TOTALS_RULE } from '../rules/totals'
import { HierarchyNode, OnlyTracker } from '../schemas'
import { loadReportItems } from '../services/load-report'

export const reportHierarchy = operation({
  id: 'reports.hierarchy',
  summary: 'Show features with their stories and tasks, points, progress and blockers',
  description:
    `Every cached item appears once. ${FEATURES_RULE} ${TOTALS_RULE} Features with a priority come first. ` +
    `An item that is more than ${MAX_DEPTH} levels deep is listed next to its parent, which parentId names.`,
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    featureId: ItemId.optional().describe(
      'Only this feature or another item, with its descendants; the whole workspace by default',
    ),
    tracker: OnlyTracker,
  }),
  output: z.object({
    features: z.array(HierarchyNode),
    unparented: z.array(HierarchyNode).describe('The trees that belong to no feature'),
    generatedAt: Instant,
  }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/reporting/features-hierarchy' },
  cli: {
    command: 'report hierarchy',
    flags: { featureId: { name: 'feature', value: 'id' } },
    examples: [
      'studio report hierarchy',
      'studio report hierarchy --feature 101 --json',
      'studio report hierarchy --format html --out report.html',
    ],
    out: { about: 'Write the report into this file instead' },
    seeAlso: ['report summary', 'brief', 'priorities set', 'import'],
  },
  async run(ctx: Context & StorageContext, { featureId, tracker }) {
    const ids = featureId === undefined ? [] : [featureId]
    const { items, designated } = await loadReportItems(ctx, { ids, field: 'featureId', tracker })
    const hierarchy = await runInTurns(buildHierarchy(items, { ids, designated }), ctx.signal)
    return { ...hierarchy, generatedAt: formatInstant(ctx.clock.now()) }
  },
})
