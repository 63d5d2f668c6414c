import * as z from 'zod'
import { ItemId } from '../../items'
import { type Context, hint, inputError, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { replaceDesignated } from '../queries/priorities'
import { availableFeatures } from '../rules/priorities'
import { Priorities } from '../schemas'
import { loadItems } from '../services/load'

const MOST_FEATURES = 1000

export const setPriorities = operation({
  id: 'priorities.set',
  summary: 'Choose the features that come first in reports and in the briefing, in order',
  description: 'Takes the place of what was chosen before; an empty list clears it.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    designated: z.array(ItemId).max(MOST_FEATURES).describe('Feature IDs, the most important first'),
  }),
  output: Priorities,
  errors: [],
  http: { method: 'post', path: '/api/planner/priorities-config' },
  cli: {
    command: 'priorities set',
    args: ['designated...'],
    argumentNames: { designated: 'featureId' },
    extraFlags: [{ flag: '--none', about: 'designate no feature', standsFor: ['designated'] }],
    toInput: withNone,
    examples: ['studio priorities set 101', 'studio priorities set --none'],
    seeAlso: ['priorities get', 'report summary', 'brief'],
  },
  async run(ctx: Context & StorageContext, { designated }) {
    const { items } = await loadItems(ctx, { ids: [], field: '' })
    const available = availableFeatures(items, designated)
    requireFeatures(designated, new Set(available.map(({ id }) => id)))
    await ctx.db.write((tx) => replaceDesignated(tx, designated))
    return { designated, available }
  },
})

function withNone({ none, ...typed }: Record<string, unknown>): Record<string, unknown> {
  if (!none) return typed
  if (typed['designated'] === undefined) return { designated: [] }
  throw new StudioError('invalid', 'Give either features or --none, not both.', {
    hint: 'See: studio priorities set --help',
  })
}

function requireFeatures(designated: readonly number[], features: ReadonlySet<number>): void {
  const details = designated.flatMap((id, index) => {
    const path = `designated.${index}`
    if (!features.has(id)) return [{ path, message: `#${id} is not a feature of the workspace` }]
    return designated.indexOf(id) < index ? [{ path, message: `#${id} is named twice` }] : []
  })
  if (details.length === 0) return
  const unknown = designated.find((id) => !features.has(id))
  throw inputError(
    details,
    unknown === undefined
      ? 'Name each feature once.'
      : hint`Import it: ${suggest('features.import', { featureId: unknown })}; or see which there are: ${suggest('priorities.get')}`,
  )
}
