import * as z from 'zod'
import { hint, operation, StudioError, settlePlan, suggest } from '../../../kernel'
import { toArgument } from '../../../kernel/text/item-reference'
import { ItemId, Reference, WebAddress, WebLink } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { createOutcomeError } from '../../services/outcome-errors'
import { renameNotFound } from '../../services/read-for-change'
import { openTrackerLink } from '../../services/tracker-link'
import { requirePart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const removeWebLink = operation({
  id: 'items.remove-web-link',
  summary: 'Remove the link of a work item to a pull request, a commit, a branch or a web page',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: z.strictObject({
    id: ItemId,
    url: WebAddress,
    dryRun: z.boolean().default(false).describe('Remove nothing; show the link'),
  }),
  output: z.object({ dryRun: z.boolean(), id: z.int(), reference: Reference, link: WebLink.describe('As it was') }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'delete',
    path: '/api/devops/items/{id}/web-links',
    extension: true,
    example: { id: 204, url: 'https://example.com/plan' },
  },
  cli: {
    command: 'item unlink',
    whenFlag: 'url',
    args: ['id'],
    flags: { url: { about: 'The address of the link' } },
    confirm: () => null,
    confirmDryRun: (preview) =>
      `Remove the link from work item ${toArgument((preview as { reference: string }).reference)}?`,
    examples: [],
  },
  async run(ctx: TrackerWorkspaceContext, { id, url, dryRun }) {
    const { tracker } = await openTrackerLink(ctx, { ids: [id] })
    const editing = requirePart(tracker, 'webLinkEditing')
    const links = await renameNotFound(id, requirePart(tracker, 'webLinks').list(id, ctx.signal))
    const found = links.find((link) => isSameAddress(link.url, url))
    const look = hint`List its links: ${suggest('items.web-links', { id })}`
    if (!found) throw new StudioError('not_found', `The work item has no link to ${url}.`, { hint: look })
    const answer = { dryRun, id, reference: (await nameItems(ctx, [id]))(id), link: found }
    settlePlan(ctx, { tracker: await tracker.resolveIdentity(ctx.signal), link: found })
    if (dryRun) return answer
    const outcome = await editing.remove({ itemId: id, linkId: found.id }, ctx.signal)
    if (outcome.status === 'deleted') return answer
    throw createOutcomeError(outcome, {
      rejected: 'The tracker did not remove the link.',
      unknown: 'It is not known whether the link was removed.',
      look,
    })
  },
})

/** Trackers write the same address with or without a slash at its end. */
function isSameAddress(a: string, b: string): boolean {
  const [first, second] = [a, b].map((url) => (URL.canParse(url) ? new URL(url).href : url).replace(/\/$/, ''))
  return first === second
}
