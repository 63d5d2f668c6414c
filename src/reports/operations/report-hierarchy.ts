import * as z from 'zod'
import { Instant, ItemId } from '../../items'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { TOTALS_RULE } from '../rules/estimates'
import { FEATURES_RULE } from '../rules/features'
import { DEEPEST_NESTING, hierarchyOf } from '../rules/hierarchy'
import { HierarchyNode } from '../schemas'
import { loadItems } from '../services/load'

export const reportHierarchy = operation({
  id: 'reports.hierarchy',
  summary: 'Show features with their stories and tasks, points, progress and blockers',
  description:
    `Every cached item stands in it once. ${FEATURES_RULE} ${TOTALS_RULE} Designated features stand first. ` +
    `Below ${DEEPEST_NESTING} levels an item stands beside its parent, which parentId names.`,
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    featureId: ItemId.optional().describe(
      'Only this feature, or another item, with what is below it; the whole workspace where absent',
    ),
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
    out: { about: 'write the report into this file instead' },
    seeAlso: ['report summary', 'brief', 'priorities set', 'import'],
  },
  async run(ctx: Context & StorageContext, { featureId }) {
    const ids = featureId === undefined ? [] : [featureId]
    const { items, designated } = await loadItems(ctx, { ids, field: 'featureId' })
    return { ...hierarchyOf(items, { ids, designated }), generatedAt: new Date(ctx.clock.now()).toISOString() }
  },
})
