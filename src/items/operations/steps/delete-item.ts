import * as z from 'zod'
import { hint, operation, settlePlan, suggest } from '../../../kernel'
import { toArgument } from '../../../kernel/text/item-reference'
import { formatInstant } from '../../../kernel/time'
import { findCachedIds, markGone } from '../../queries'
import { ItemId, Reference } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { createOutcomeError } from '../../services/outcome-errors'
import { readForChange } from '../../services/read-for-change'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

const DeletedItem = z.object({
  dryRun: z.boolean(),
  id: z.int(),
  reference: Reference,
  type: z.string(),
  title: z.string(),
  state: z.string(),
  canBeRestored: z.boolean().describe('Whether items.restore brings it back'),
  message: z.string().nullable().describe('What the tracker deleted besides'),
})

export const deleteItem = operation({
  id: 'items.delete',
  summary: 'Delete a work item in the tracker',
  description:
    'Deletes the version that is read first: an item that somebody changes meanwhile stays. Where the tracker has a recycle bin, `items.restore` brings the item back; elsewhere it is gone for good. Its cached copy stays readable and is marked as gone.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: z.strictObject({
    id: ItemId,
    dryRun: z.boolean().default(false).describe('Delete nothing; show the item'),
  }),
  output: DeletedItem,
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'delete', path: '/api/devops/items/{id}', extension: true },
  cli: {
    command: 'item delete',
    args: ['id'],
    confirm: ({ dryRun, id }) => (dryRun ? null : `Delete work item ${toArgument(String(id))} in the tracker?`),
    confirmDryRun(preview) {
      const { reference, canBeRestored } = preview as z.output<typeof DeletedItem>
      const where = canBeRestored ? 'move it to the recycle bin of the tracker' : 'it cannot be brought back'
      return `Delete work item ${toArgument(reference)} (${where})?`
    },
    notice({ dryRun, reference, canBeRestored }: z.output<typeof DeletedItem>) {
      return dryRun || !canBeRestored ? null : `To bring it back: studio item restore ${toArgument(reference)}`
    },
    examples: ['studio item delete 344 --dry-run', 'studio item delete 344 --yes'],
    seeAlso: ['item restore', 'item move', 'item get'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, dryRun }) {
    const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'deletion')
    const { tracker } = link
    const { rev, type, title, state } = await readForChange(ctx, tracker, id)
    const reference = (await nameItems(ctx, [id]))(id)
    const canBeRestored = tracker.parts.restoring !== undefined
    const shown = { dryRun, id, reference, type, title, state, canBeRestored }
    settlePlan(ctx, { tracker: await tracker.resolveIdentity(ctx.signal), rev, type, title, state })
    if (dryRun) return { ...shown, message: null }
    const outcome = await part.delete({ id, rev }, ctx.signal)
    if (outcome.status !== 'deleted')
      throw createOutcomeError(outcome, {
        rejected: `The tracker did not delete work item ${reference}.`,
        unknown: `It is not known whether work item ${reference} was deleted.`,
        look: hint`Read it again: ${suggest('items.get', { id })}`,
      })
    await markAsDeleted(ctx, id)
    return { ...shown, message: outcome.message ?? null }
  },
})

/** The item is gone, whether or not its cached copy can be marked. */
async function markAsDeleted(ctx: TrackerWorkspaceContext, id: number): Promise<void> {
  const at = formatInstant(ctx.clock.now())
  const mark = ctx.db.write(async (tx) => {
    if ((await findCachedIds(tx, [id])).has(id))
      await markGone(tx, [{ id, end: `Deleted with studio on ${at.slice(0, 10)}.` }], at)
  })
  await mark.catch((error: unknown) => ctx.log.warn('a deleted item could not be marked', { id, error: String(error) }))
}
