import * as z from 'zod'
import { ItemId, type NameOf, nameItems } from '../../items'
import { type Context, hint, inputError, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { replaceDesignatedFeatures } from '../queries/priorities'
import { Priorities } from '../schemas'
import { describePriorities } from '../services/describe-priorities'
import { loadReportItems } from '../services/load-report'

const MAX_FEATURES = 1000

export const setPriorities = operation({
  id: 'priorities.set',
  summary: 'Choose the features that come first in reports and in the briefing, in order',
  description: 'Replaces the previous choice; an empty list clears it.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    designated: z.array(ItemId).max(MAX_FEATURES).describe('Feature IDs, the most important first'),
  }),
  output: Priorities,
  errors: [],
  http: { method: 'post', path: '/api/planner/priorities-config' },
  cli: {
    command: 'priorities set',
    args: ['designated...'],
    argumentNames: { designated: 'featureId' },
    extraFlags: [{ flag: '--none', about: 'Clear the priorities', standsFor: ['designated'] }],
    toInput: toDesignated,
    examples: ['studio priorities set 101', 'studio priorities set --none'],
    seeAlso: ['priorities get', 'report summary', 'brief'],
  },
  async run(ctx: Context & StorageContext, { designated }) {
    const { items } = await loadReportItems(ctx, { ids: [], field: '' })
    const priorities = await describePriorities(ctx, items, designated)
    requireFeatures(designated, await nameItems(ctx, designated), new Set(priorities.gone.map(({ id }) => id)))
    await ctx.db.write((tx) => replaceDesignatedFeatures(tx, designated))
    return priorities
  },
})

function toDesignated({ none, ...typed }: Record<string, unknown>): Record<string, unknown> {
  if (!none) return typed
  if (typed['designated'] === undefined) return { designated: [] }
  throw new StudioError('invalid', 'Specify either features or --none, not both.', {
    hint: 'See: studio priorities set --help',
  })
}

function requireFeatures(designated: readonly number[], nameOf: NameOf, gone: ReadonlySet<number>): void {
  const details = designated.flatMap((id, index) => {
    const path = `designated.${index}`
    if (gone.has(id)) return [{ path, message: `${nameOf(id)} is not a feature of the workspace` }]
    return designated.indexOf(id) < index ? [{ path, message: `${nameOf(id)} is listed twice` }] : []
  })
  if (details.length === 0) return
  const unknown = designated.find((id) => gone.has(id))
  throw inputError(
    details,
    unknown === undefined
      ? 'List each feature once.'
      : hint`Import it: ${suggest('features.import', { featureId: unknown })}; or list the available features: ${suggest('priorities.get')}`,
  )
}
