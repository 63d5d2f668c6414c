import { StudioError } from '../../kernel'
import type { Tracker, TrackerPart, TrackerParts } from '../../tracker'
import { getAdapter } from '../../tracker/adapters'
import type { TrackerLink } from './tracker-identity'
import { openTrackerLink, type TrackerChoice } from './tracker-link'
import type { TrackerWorkspaceContext } from './workspace-context'

/** What a tracker without the part does not do, as people say it. */
const PART_NAMES: Record<TrackerPart, string> = {
  attachments: 'shows no attachments',
  uploads: 'takes no attachments from other programs',
  transitions: 'does not say into which states a work item may go',
  deletion: 'lets no other program delete work items',
  restoring: 'cannot bring deleted work items back',
  commentEditing: 'lets no other program change comments',
  queries: 'has no queries',
  webLinks: 'has no links to pull requests or web pages',
  webLinkEditing: 'lets no other program add or remove links to pull requests and web pages',
  worklogs: 'does not record the time that people spend',
}

/** Opens the tracker of items, and what only some trackers can do. Throws `invalid` if this one cannot. */
export async function openTrackerPart<Part extends TrackerPart>(
  ctx: TrackerWorkspaceContext,
  choice: TrackerChoice,
  name: Part,
): Promise<{ link: TrackerLink; part: TrackerParts[Part] }> {
  const link = await openTrackerLink(ctx, choice)
  return { link, part: requirePart(link.tracker, name) }
}

export function requirePart<Part extends TrackerPart>(tracker: Tracker, name: Part): TrackerParts[Part] {
  const part = tracker.parts[name]
  if (part !== undefined) return part as TrackerParts[Part]
  throw new StudioError('invalid', `${getAdapter(tracker.kind).product} (${tracker.name}) ${PART_NAMES[name]}.`)
}
