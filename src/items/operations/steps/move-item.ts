import * as z from 'zod'
import { operation } from '../../../kernel'
import { askAfterPreview } from '../../rules/update-plan'
import { ItemId, UpdateResults } from '../../schemas'
import { givenFieldsInput, parseSetFlag, setFlag } from '../../services/create/given-fields-input'
import { readForChange } from '../../services/read-for-change'
import { openTrackerLink } from '../../services/tracker-link'
import { checkTransition } from '../../services/update/check-transition'
import { updateByFields } from '../../services/update/update-by-fields'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const moveItem = operation({
  id: 'items.move',
  summary: 'Move a work item into another state of its workflow',
  description:
    'Takes the name of the state, or of the step that leads there. A state that cannot follow the present one is refused before anything is sent, and so is a step whose required fields have no values; the error lists what is allowed. Fields are given as in items.batch-update.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: z.strictObject({
    id: ItemId,
    state: z.string().trim().min(1).max(256).describe('The state, such as Active, or the step that leads there'),
    ...givenFieldsInput,
    dryRun: z.boolean().default(false).describe('Send nothing; show the change'),
  }),
  output: UpdateResults,
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/devops/items/{id}/move',
    extension: true,
    example: { id: 204, state: 'Active', dryRun: true },
  },
  cli: {
    command: 'item move',
    args: ['id', 'state'],
    flags: {
      state: { about: 'The state or the step (on a terminal, you are asked if you leave it out)' },
      updates: false,
      fields: false,
    },
    extraFlags: [setFlag],
    toInput: parseSetFlag,
    confirm: () => null,
    confirmDryRun: askAfterPreview,
    examples: ['studio item move 204 Active --dry-run', 'studio item move 204 Resolved --set Reason=Fixed --yes'],
    seeAlso: ['item transitions', 'item assign', 'batch-update'],
  },
  isPartial: (answer) => !answer.dryRun && answer.applied < answer.requested,
  async run(ctx: TrackerWorkspaceContext, { id, state: wanted, updates, fields, dryRun }) {
    const { tracker } = await openTrackerLink(ctx, { ids: [id] })
    const given = { updates, fields }
    const { transitions } = tracker.parts
    const state = transitions
      ? checkTransition(await readForChange(ctx, tracker, id), wanted, {
          transitions: await transitions.list(id, ctx.signal),
          given,
        })
      : wanted
    return updateByFields(ctx, { ids: [id], given: { ...given, own: { state } }, dryRun })
  },
})
