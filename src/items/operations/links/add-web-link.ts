import * as z from 'zod'
import { hint, operation, settlePlan, suggest } from '../../../kernel'
import { toArgument } from '../../../kernel/text/item-reference'
import { ItemId, NewWebAddress, Reference, WebLink } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { createOutcomeError } from '../../services/outcome-errors'
import { readForChange } from '../../services/read-for-change'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const addWebLink = operation({
  id: 'items.add-web-link',
  summary: 'Link a work item to a pull request, a commit, a branch or a web page',
  description:
    'The address decides what the link is: the tracker shows its own pull requests, commits and branches as such. A link that is there already stays, and is the answer.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: z.strictObject({
    id: ItemId,
    url: NewWebAddress,
    title: z.string().trim().min(1).max(255).optional().describe('What the tracker shows (default: the address)'),
    dryRun: z.boolean().default(false).describe('Send nothing; show the link'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    id: z.int(),
    reference: Reference,
    link: WebLink.nullable().describe('Null for a dry run'),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/devops/items/{id}/web-links',
    extension: true,
    example: { id: 204, url: 'https://example.com/plan', title: 'The plan', dryRun: true },
  },
  cli: {
    command: 'item link',
    whenFlag: 'url',
    args: ['id'],
    flags: { url: { about: 'The address of a pull request, a commit, a branch or a web page' } },
    confirm: () => null,
    confirmDryRun: (preview) =>
      `Add the link to work item ${toArgument((preview as { reference: string }).reference)}?`,
    examples: ['studio item link 204 --url https://example.com/plan --title "The plan" --dry-run'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, url, title = null, dryRun }) {
    const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'webLinkEditing')
    await readForChange(ctx, link.tracker, id)
    const answer = { dryRun, id, reference: (await nameItems(ctx, [id]))(id) }
    settlePlan(ctx, { tracker: await link.tracker.resolveIdentity(ctx.signal), url, title })
    if (dryRun) return { ...answer, link: null }
    const outcome = await part.add({ itemId: id, url, title }, ctx.signal)
    if (outcome.status === 'added') return { ...answer, link: outcome.link }
    throw createOutcomeError(outcome, {
      rejected: 'The tracker did not add the link.',
      unknown: 'It is not known whether the link was added.',
      look: hint`Look for it: ${suggest('items.web-links', { id })}`,
    })
  },
})
