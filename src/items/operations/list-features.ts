import * as z from 'zod'
import { operation } from '../../kernel'
import { findCachedIds } from '../queries'
import { createReference, showReference } from '../rules/item-reference'
import { Instant, Reference, TrackerName } from '../schemas'
import { openTrackerLink } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

/** The backlog level of features. */
const FEATURE_LEVEL = 2

export const listFeatures = operation({
  id: 'features.list',
  summary: 'List the features of the tracker',
  description: 'Reads them from the tracker, the last changed first, whether or not they are cached.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    title: z.string().trim().min(1).max(200).optional().describe('Only features with this text in their titles'),
    tracker: TrackerName.optional(),
    count: z.int().min(1).max(200).default(50).describe('Number of features to list'),
  }),
  output: z.object({
    total: z.int().describe('The number of all features that match'),
    features: z.array(
      z.object({
        id: z.int(),
        reference: Reference,
        type: z.string(),
        title: z.string(),
        state: z.string(),
        changedAt: Instant,
        cached: z.boolean().describe('Whether it has been imported'),
      }),
    ),
  }),
  errors: ['conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/tracker/features', extension: true },
  cli: {
    command: 'feature list',
    examples: ['studio feature list', 'studio feature list --title gate'],
    seeAlso: ['import', 'report hierarchy', 'item search'],
  },
  async run(ctx: TrackerWorkspaceContext, { title = null, tracker: name, count }) {
    const { tracker, name: further } = await openTrackerLink(ctx, { name })
    ctx.progress({ label: 'reading the features' })
    const { types } = await tracker.describeProcess(ctx.signal, [])
    const names = types.filter(({ level }) => level === FEATURE_LEVEL).map(({ name }) => name)
    if (names.length === 0) return { total: 0, features: [] }
    const { ids, total } = await tracker.findByType({ types: names, title, limit: count }, ctx.signal)
    const { items } = await tracker.getItems(ids, { signal: ctx.signal })
    const cached = await ctx.db.read((tx) => findCachedIds(tx, ids))
    return {
      total,
      features: items.map(({ id, key, type, title, state, changedAt }) => ({
        id,
        reference: showReference(id, createReference({ id, key }, further)),
        type,
        title,
        state,
        changedAt,
        cached: cached.has(id),
      })),
    }
  },
})
