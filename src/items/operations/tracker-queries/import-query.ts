import * as z from 'zod'
import { operation } from '../../../kernel'
import { ItemNote, WorkItem } from '../../schemas'
import { importItems } from '../../services/import/import-items'
import { runTrackerQuery } from '../../services/run-tracker-query'
import { openTrackerLink } from '../../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'
import { QueryInput, queryCli } from './run-query'

export const importQuery = operation({
  id: 'queries.import',
  summary: 'Import the work items that a query of the tracker finds',
  effect: 'mirror',
  access: 'workspace',
  isExpensive: true,
  input: QueryInput.extend({
    limit: z.int().min(1).max(1000).default(1000).describe('Maximum number of items'),
  }),
  output: z.object({
    query: z.string(),
    language: z.string(),
    total: z.int().nullable().describe('Of all that it finds; null if the tracker does not say'),
    imported: z.array(WorkItem),
    failed: z.array(ItemNote),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/devops/queries/import', extension: true, withinMs: 30 * 60_000 },
  cli: {
    command: 'query import',
    ...queryCli,
    notice({ total, imported, failed }: { total: number | null; imported: unknown[]; failed: unknown[] }) {
      const read = imported.length + failed.length
      return total !== null && total > read ? `The query finds ${total} items; the first ${read} were read.` : null
    },
    examples: ['studio query import "Open bugs"'],
    seeAlso: ['query list', 'query run', 'import'],
  },
  isPartial: (answer) => answer.failed.length > 0,
  async run(ctx: TrackerWorkspaceContext, { query, text, tracker: name, limit }) {
    const { tracker } = await openTrackerLink(ctx, { name })
    const { ids, ...found } = await runTrackerQuery(ctx, tracker, { query, text, limit })
    return { ...found, ...(await importItems(ctx, ids)) }
  },
})
