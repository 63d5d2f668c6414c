import { type Tracker, translateIds } from '../../tracker'
import { listTrackerLinks } from '../queries'
import { ensureFurtherTracker, findFurtherTracker } from '../queries/further-trackers'
import { DEFAULT_TRACKER_ID } from '../queries/item-tables'
import { createItemNumbers } from './item-numbers'
import { createMixError, createProjectTest, resolveStoredIdentity, type TrackerLink } from './tracker-identity'
import type { TrackerWorkspaceContext } from './workspace-context'

/** Numbers that were read once never change, so they are cached as long as the tracker is open. */
const numberedTrackers = new WeakMap<Tracker, Tracker>()

export async function openFurtherLink(ctx: TrackerWorkspaceContext, name: string): Promise<TrackerLink> {
  const adapter = await ctx.tracker(name)
  const links = await ctx.db.read(listTrackerLinks)
  const known = links.find((link) => link.name === name) ?? null
  const identity = await resolveStoredIdentity(adapter, known, ctx.signal)
  const other = links.find((link) => link.name === name && link.tracker !== identity)
  if (other !== undefined && !links.some((link) => link.tracker === identity))
    throw createMixError(
      `The tracker ${name} of this workspace is ${other.tracker}, but the settings specify ${identity}.`,
    )
  const tracker =
    numberedTrackers.get(adapter) ??
    translateIds(adapter, createItemNumbers(ctx.db, { name, identify: async () => identity }))
  numberedTrackers.set(adapter, tracker)
  const stored = links.find((link) => link.id !== DEFAULT_TRACKER_ID && link.tracker === identity) ?? null
  // The cached items of a tracker with another name in the settings are opened by their stored name, so it must be the present one.
  if (stored !== null && stored.name !== name) await ctx.db.write((tx) => ensureFurtherTracker(tx, { identity, name }))
  return {
    name,
    tracker,
    stored,
    findId: (tx) => findFurtherTracker(tx, identity),
    async claim(tx) {
      await ensureFurtherTracker(tx, { identity, name })
    },
    isInProject: createProjectTest(identity),
  }
}
