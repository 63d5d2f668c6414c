import * as z from 'zod'
import { operation } from '../../../kernel'
import { ItemId, Reference, StateCategory } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { readForChange } from '../../services/read-for-change'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const listTransitions = operation({
  id: 'items.transitions',
  summary: 'Show into which states a work item may go, and what each requires',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: ItemId }),
  output: z.object({
    id: z.int(),
    reference: Reference,
    state: z.string().describe('Its present state'),
    transitions: z.array(
      z.object({
        state: z.string(),
        category: StateCategory.nullable(),
        name: z.string().nullable().describe('The name of the step, if it differs from the state'),
        required: z.array(
          z.object({ field: z.string(), allowedValues: z.array(z.string()).nullable().describe('Null for any value') }),
        ),
      }),
    ),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/items/{id}/transitions', extension: true },
  cli: {
    command: 'item transitions',
    args: ['id'],
    examples: ['studio item transitions 204', 'studio item transitions 204 --json'],
    seeAlso: ['item move', 'item get', 'item metadata'],
  },
  async run(ctx: TrackerWorkspaceContext, { id }) {
    const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'transitions')
    const { state } = await readForChange(ctx, link.tracker, id)
    const transitions = await part.list(id, ctx.signal)
    return {
      id,
      reference: (await nameItems(ctx, [id]))(id),
      state,
      transitions: transitions.map(({ required, ...transition }) => ({
        ...transition,
        required: required.map(({ name, allowedValues }) => ({ field: name, allowedValues })),
      })),
    }
  },
})
