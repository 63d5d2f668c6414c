import { operation } from '../../../kernel'
import { askAfterPreview } from '../../rules/update-plan'
import { UpdateResults } from '../../schemas'
import { askToChangeLinks, changeLinks, LinkInput, linkCli, linkNeeds } from '../../services/update/change-links'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const linkItem = operation({
  id: 'items.link',
  summary: 'Link a work item to others in the tracker',
  description:
    'A new parent replaces the one before. Circles, links of an item to itself, and parents of a lower level (a Feature below a Task) are refused before anything is sent.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: LinkInput,
  fieldNeeds: linkNeeds,
  output: UpdateResults,
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/devops/items/{id}/link', extension: true },
  cli: {
    command: 'item link',
    ...linkCli,
    confirm: askToChangeLinks,
    confirmDryRun: askAfterPreview,
    examples: [
      'studio item link 343 --parent 205 --dry-run',
      'studio item link 217 --predecessor 211 219 --related 501 --yes',
      'studio item link 205 --child 343 344 --yes',
    ],
    seeAlso: ['item unlink', 'batch-update', 'report hierarchy'],
  },
  isPartial: (answer) => !answer.dryRun && answer.applied < answer.requested,
  run: (ctx: TrackerWorkspaceContext, input) => changeLinks(ctx, input, 'add'),
})
