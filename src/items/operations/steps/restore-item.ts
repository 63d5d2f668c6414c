import * as z from 'zod'
import { hint, operation, suggest } from '../../../kernel'
import { ItemId, Reference } from '../../schemas'
import { saveItem } from '../../services/create/create-work-item'
import { nameItems } from '../../services/name-items'
import { createOutcomeError } from '../../services/outcome-errors'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const restoreItem = operation({
  id: 'items.restore',
  summary: "Bring a work item back from the tracker's recycle bin",
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: z.strictObject({ id: ItemId }),
  output: z.object({
    id: z.int(),
    reference: Reference,
    type: z.string(),
    title: z.string(),
    state: z.string(),
    rev: z.int(),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/devops/items/{id}/restore', extension: true },
  cli: {
    command: 'item restore',
    args: ['id'],
    examples: ['studio item restore 344'],
    seeAlso: ['item delete', 'item get'],
  },
  async run(ctx: TrackerWorkspaceContext, { id }) {
    const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'restoring')
    const outcome = await part.restore(id, ctx.signal)
    if (outcome.status === 'applied') {
      const { item } = outcome
      await saveItem(ctx, link, item).catch((error: unknown) =>
        ctx.log.warn('a restored item could not be cached', { id, error: String(error) }),
      )
      const { type, title, state, rev } = item
      return { id, reference: (await nameItems(ctx, [id]))(id), type, title, state, rev }
    }
    const problem = outcome.status === 'notAttempted' ? { ...outcome, status: 'rejected' as const } : outcome
    throw createOutcomeError(problem, {
      rejected: `The tracker did not bring work item ${id} back.`,
      unknown: `It is not known whether work item ${id} is back.`,
      look: hint`Read it: ${suggest('items.get', { id })}`,
    })
  },
})
