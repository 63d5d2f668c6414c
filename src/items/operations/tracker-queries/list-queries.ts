import * as z from 'zod'
import { operation } from '../../../kernel'
import { TrackerName } from '../../schemas'
import { openTrackerLink } from '../../services/tracker-link'
import { requirePart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const listQueries = operation({
  id: 'queries.list',
  summary: 'List the queries that people have saved in the tracker',
  description: 'The queries, filters or views of the product, with their folders.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({ tracker: TrackerName.optional() }),
  output: z.object({
    language: z.string().describe('The language of the queries, such as WIQL or JQL'),
    queries: z.array(
      z.object({
        id: z.string(),
        name: z.string().describe('With its folders'),
        text: z.string().nullable().describe('Null if the tracker does not show it'),
        url: z.string().nullable(),
      }),
    ),
  }),
  errors: ['conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/queries', extension: true },
  cli: {
    command: 'query list',
    examples: ['studio query list', 'studio query list --json'],
    seeAlso: ['query run', 'query import', 'item search'],
  },
  async run(ctx: TrackerWorkspaceContext, { tracker: name }) {
    const { tracker } = await openTrackerLink(ctx, { name })
    const part = requirePart(tracker, 'queries')
    ctx.progress({ label: 'reading the queries' })
    return { language: part.language, queries: await part.list(ctx.signal) }
  },
})
