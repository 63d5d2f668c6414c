import * as z from 'zod'
import { operation } from '../../../kernel'
import { FoundItem, TrackerName } from '../../schemas'
import { presentFound } from '../../services/found-items'
import { readItems } from '../../services/import/fetch-items'
import { runTrackerQuery } from '../../services/run-tracker-query'
import { openTrackerLink } from '../../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

/** Which query, of which tracker. */
export const QueryInput = z.strictObject({
  query: z.string().trim().min(1).max(1000).optional().describe('The name or the ID of a saved query'),
  text: z
    .string()
    .trim()
    .min(1)
    .max(32_000)
    .optional()
    .describe("A query in the tracker's language (WIQL, JQL, a search string) instead of a saved one"),
  tracker: TrackerName.optional(),
})

export const queryCli = {
  args: ['query'],
  flags: { text: { value: 'query' } },
}

export const runQuery = operation({
  id: 'queries.run',
  summary: 'Run a query in the tracker and show what it finds',
  description: 'Finds work items of the project alone, in the order of the query. Saves nothing.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  input: QueryInput.extend({
    limit: z.int().min(1).max(1000).default(50).describe('Maximum number of results'),
  }),
  output: z.object({
    query: z.string(),
    language: z.string(),
    total: z.int().nullable().describe('Of all that it finds; null if the tracker does not say'),
    results: z.array(FoundItem),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/devops/queries/run', extension: true },
  cli: {
    command: 'query run',
    ...queryCli,
    examples: [
      'studio query run "Open bugs"',
      `studio query run --text "SELECT [System.Id] FROM WorkItems WHERE [System.State] = 'New'" --limit 10`,
    ],
    seeAlso: ['query list', 'query import', 'item search'],
  },
  async run(ctx: TrackerWorkspaceContext, { query, text, tracker: name, limit }) {
    const { tracker, name: further } = await openTrackerLink(ctx, { name })
    const found = await runTrackerQuery(ctx, tracker, { query, text, limit })
    const { fetched } = await readItems(ctx, tracker, { ids: found.ids, label: 'reading the results' })
    const { query: shown, language, total } = found
    return { query: shown, language, total, results: await presentFound(ctx, fetched, further) }
  },
})
