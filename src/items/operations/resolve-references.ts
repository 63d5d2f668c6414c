import * as z from 'zod'
import { operation } from '../../kernel'
import { resolveReference } from '../services/resolve-references'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const resolveReferences = operation({
  id: 'items.resolve',
  summary: 'Find the IDs of work items by their references, such as #101 or ABC-7',
  description:
    'Takes an ID (101, #101), the key of Jira (ABC-7), and, for a further tracker of the settings, its name or kind before the key: gh:owner/repository#12, jira:ABC-7. Cached items are found without a request. An item of a further tracker that is not cached gets its local number.',
  effect: 'mirror',
  recorded: 'none',
  access: 'workspace',
  input: z.strictObject({
    references: z
      .array(z.string().min(1).max(250))
      .min(1)
      .max(200)
      .describe('References of work items, such as #101 or ABC-7'),
  }),
  output: z.object({ items: z.array(z.object({ reference: z.string().describe('As given'), id: z.int() })) }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/tracker/workitems/resolve',
    extension: true,
    example: { references: ['101', '#204'] },
  },
  cli: {
    command: 'item resolve',
    args: ['references...'],
    argumentNames: { references: 'reference' },
    examples: ['studio item resolve 204', 'studio item resolve 101 204 --json'],
    seeAlso: ['item get', 'import', 'item search'],
  },
  async run(ctx: TrackerWorkspaceContext, { references }) {
    const items: { reference: string; id: number }[] = []
    for (const reference of references) items.push({ reference, id: await resolveReference(ctx, reference) })
    return { items }
  },
})
