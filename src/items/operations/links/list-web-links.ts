import * as z from 'zod'
import { operation } from '../../../kernel'
import { ItemId, Reference, WebLink } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { renameNotFound } from '../../services/read-for-change'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const listWebLinks = operation({
  id: 'items.web-links',
  summary: 'Show the pull requests, commits, branches and web pages of a work item',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({ id: ItemId }),
  output: z.object({ id: z.int(), reference: Reference, links: z.array(WebLink) }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: { method: 'get', path: '/api/devops/items/{id}/web-links', extension: true },
  cli: {
    command: 'item links',
    args: ['id'],
    examples: ['studio item links 204', 'studio item links 204 --json'],
    seeAlso: ['item link', 'item unlink', 'item get'],
  },
  async run(ctx: TrackerWorkspaceContext, { id }) {
    const { part } = await openTrackerPart(ctx, { ids: [id] }, 'webLinks')
    const links = await renameNotFound(id, part.list(id, ctx.signal))
    return { id, reference: (await nameItems(ctx, [id]))(id), links }
  },
})
