import * as z from 'zod'
import { operation } from '../../../kernel'
import { askAfterPreview } from '../../rules/update-plan'
import { ItemId, UpdateResults } from '../../schemas'
import { openTrackerLink } from '../../services/tracker-link'
import { updateByFields } from '../../services/update/update-by-fields'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const assignItem = operation({
  id: 'items.assign',
  summary: 'Assign a work item to a person',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: z.strictObject({
    id: ItemId,
    assignedTo: z
      .string()
      .trim()
      .max(256)
      .describe('Account or name of the person; @me for the user of the settings; empty for no one'),
    dryRun: z.boolean().default(false).describe('Send nothing; show the change'),
  }),
  output: UpdateResults,
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/devops/items/{id}/assign',
    extension: true,
    example: { id: 204, assignedTo: 'ana@example.com', dryRun: true },
  },
  cli: {
    command: 'item assign',
    args: ['id', 'assignedTo'],
    argumentNames: { assignedTo: 'person' },
    confirm: () => null,
    confirmDryRun: askAfterPreview,
    examples: ['studio item assign 204 "Ana Costa" --dry-run', 'studio item assign 204 "" --yes'],
    seeAlso: ['item move', 'batch-update', 'item get'],
  },
  isPartial: (answer) => !answer.dryRun && answer.applied < answer.requested,
  async run(ctx: TrackerWorkspaceContext, { id, assignedTo, dryRun }) {
    const answer = await updateByFields(ctx, { ids: [id], given: { own: { assignedTo } }, dryRun })
    if (!dryRun || assignedTo === '' || assignedTo === '@me') return answer
    if (await canCheckPeople(ctx, id)) return answer
    const message = 'The name cannot be checked before the change is sent.'
    const results = answer.results.map((one) => (one.changes.length > 0 ? { ...one, message } : one))
    return { ...answer, results }
  },
})

/** Whether the tracker lists the people whom the item can have. Then a name that is not among them was refused before. */
async function canCheckPeople(ctx: TrackerWorkspaceContext, id: number): Promise<boolean> {
  const { tracker } = await openTrackerLink(ctx, { ids: [id] })
  const { items } = await tracker.getItems([id], { signal: ctx.signal })
  const [item] = items
  if (item === undefined) return true
  const field = (await tracker.listPropertyFields(item, ctx.signal)).get('assignedTo')
  return field !== undefined && (await tracker.listAllowedValues(item.type, field.referenceName, ctx.signal)) !== null
}
