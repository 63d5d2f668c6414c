import { operation } from '../../../kernel'
import { askAfterPreview } from '../../rules/update-plan'
import { UpdateResults } from '../../schemas'
import { askToChangeLinks, changeLinks, LinkInput, linkCli, linkNeeds } from '../../services/update/change-links'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const unlinkItem = operation({
  id: 'items.unlink',
  summary: 'Remove links of a work item in the tracker',
  description: 'Removes only the named links. Removing a link that does not exist succeeds and changes nothing.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: LinkInput,
  fieldNeeds: linkNeeds,
  output: UpdateResults,
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/devops/items/{id}/unlink', extension: true },
  cli: {
    command: 'item unlink',
    ...linkCli,
    confirm: askToChangeLinks,
    confirmDryRun: askAfterPreview,
    examples: [
      'studio item unlink 206 --predecessor 203 204 --dry-run',
      'studio item unlink 206 --predecessor 203 --yes',
    ],
    seeAlso: ['item link', 'batch-update'],
  },
  isPartial: (answer) => !answer.dryRun && answer.applied < answer.requested,
  run: (ctx: TrackerWorkspaceContext, input) => changeLinks(ctx, input, 'remove'),
})
