import * as z from 'zod'
import { operation } from '../../../kernel'
import { askAfterPreview } from '../../rules/update-plan'
import { ItemId, UpdateResults } from '../../schemas'
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
  run: (ctx: TrackerWorkspaceContext, { id, assignedTo, dryRun }) =>
    updateByFields(ctx, { ids: [id], given: { own: { assignedTo } }, dryRun }),
})
