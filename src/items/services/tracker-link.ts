import { hint, StudioError, suggest } from '../../kernel'
import { DEFAULT_TRACKER_NAME } from '../../kernel/text/item-reference'
import type { ReadTx } from '../../storage'
import type { Tracker } from '../../tracker'
import {
  FIRST_LOCAL_NUMBER,
  findAnySourceFile,
  findTrackerIds,
  findTrackerLink,
  insertTrackerLink,
  listFileTrackers,
  listTrackerLinks,
  type StoredTrackerLink,
} from '../queries'
import { DEFAULT_TRACKER_ID } from '../queries/item-tables'
import { nameItems } from './name-items'
import { createMixError, createProjectTest, resolveStoredIdentity, type TrackerLink } from './tracker-identity'
import type { TrackerWorkspaceContext } from './workspace-context'

export const SANDBOX_NAME = 'sandbox'
/** Opens the tracker of an item, of a name in the settings, or the default one. */
export interface TrackerChoice {
  /** Items that must be in one tracker. */
  ids?: readonly number[]
  name?: string | undefined
}

/**
 * Opens one tracker of the workspace. Throws `conflict` if the cached items come from another tracker, whose IDs mean other items, and
 * `invalid` if the items are in several trackers or if the settings do not name the tracker.
 */
export async function openTrackerLink(
  ctx: TrackerWorkspaceContext,
  { ids, name }: TrackerChoice = {},
): Promise<TrackerLink> {
  if (ids === undefined || ids.length === 0) return openLinkByName(ctx, name ?? null)
  const groups = await groupByTracker(ctx, ids)
  const [group] = groups
  if (groups.length > 1) {
    const nameOf = await nameItems(ctx, ids)
    throw new StudioError('invalid', 'The work items are in several trackers, but this call is for one.', {
      hint: 'Make a call for each tracker.',
      details: groups.map((one) => ({
        path: 'ids',
        message: `${one.name ?? 'the default tracker'}: ${one.ids.map(nameOf).join(', ')}`,
      })),
    })
  }
  if (name !== undefined && (group!.name ?? DEFAULT_TRACKER_NAME) !== name)
    throw new StudioError('invalid', `The work item is not in the tracker ${name}.`, {
      hint: 'Leave the name of the tracker out: it follows from the work item.',
    })
  return openLinkByName(ctx, group!.name)
}

/** The items of one tracker, in the order of the request. */
export interface TrackerGroup {
  /** The name in the settings; null for the default tracker. */
  name: string | null
  ids: number[]
}

/** Groups items by their tracker. An item that no tracker has given belongs to the default one, which reports it as missing. */
export async function groupByTracker(ctx: TrackerWorkspaceContext, ids: readonly number[]): Promise<TrackerGroup[]> {
  if (ids.every((id) => id < FIRST_LOCAL_NUMBER)) return [{ name: null, ids: [...ids] }]
  const trackerIds = await ctx.db.read((tx) => findTrackerIds(tx, ids))
  const names = await readTrackerNames(ctx)
  const groups = new Map<string | null, number[]>()
  for (const id of ids) {
    const name = names.get(trackerIds.get(id) ?? DEFAULT_TRACKER_ID) ?? null
    const group = groups.get(name)
    if (group) group.push(id)
    else groups.set(name, [id])
  }
  return [...groups].map(([name, ids]) => ({ name, ids }))
}

/** The present name of each tracker that has given items, by its ID in the database. */
async function readTrackerNames(ctx: TrackerWorkspaceContext): Promise<Map<number, string | null>> {
  const links = await ctx.db.read(listTrackerLinks)
  const isInSettings = (name: string | null) => ctx.furtherTrackers.some((tracker) => tracker.name === name)
  const isRenamed = links.some(({ id, name }) => id !== DEFAULT_TRACKER_ID && !isInSettings(name))
  const present = isRenamed ? await renameTrackers(ctx, links) : links
  return new Map(present.map(({ id, name }) => [id, name]))
}

/** A tracker with a new name in the settings is recognized, and its items renamed, when it is opened by that name. */
async function renameTrackers(ctx: TrackerWorkspaceContext, links: readonly StoredTrackerLink[]) {
  const added = ctx.furtherTrackers.filter((tracker) => links.every(({ name }) => name !== tracker.name))
  // One that cannot be opened is not the tracker of these items, or fails again when they need it.
  await Promise.allSettled(added.map(({ name }) => openLinkByName(ctx, name)))
  return ctx.db.read(listTrackerLinks)
}

async function openLinkByName(ctx: TrackerWorkspaceContext, name: string | null): Promise<TrackerLink> {
  if (name === null || name === DEFAULT_TRACKER_NAME) return openDefaultLink(ctx)
  // Workspaces with one tracker do not load it.
  return (await import('./further-tracker-link')).openFurtherLink(ctx, name)
}

async function openDefaultLink(ctx: TrackerWorkspaceContext): Promise<TrackerLink> {
  const tracker = await ctx.tracker()
  const identity = await resolveStoredIdentity(tracker, await ctx.db.read(findTrackerLink), ctx.signal)
  const stored = await ctx.db.read(async (tx) => {
    await requireSameTrackerInFiles(tx, { identity, name: tracker.name })
    return requireSameTracker(tx, identity)
  })
  return {
    name: null,
    tracker,
    stored,
    findId: async (tx) => ((await findTrackerLink(tx)) === null ? null : DEFAULT_TRACKER_ID),
    async claim(tx) {
      if ((await requireSameTracker(tx, identity)) === null) await insertTrackerLink(tx, identity)
    },
    isInProject: createProjectTest(identity),
  }
}

/** Opens a tracker without the check that the cached items come from it. */
export async function openNamedTracker(ctx: TrackerWorkspaceContext, name: string | undefined): Promise<Tracker> {
  return ctx.tracker(name === DEFAULT_TRACKER_NAME ? undefined : name)
}

async function requireSameTracker(tx: ReadTx, identity: string): Promise<StoredTrackerLink | null> {
  const stored = await findTrackerLink(tx)
  if (stored === null || stored.tracker === identity) return stored
  throw createMixError(`This workspace has work items of ${stored.tracker}, but the settings specify ${identity}.`)
}

/** A file does not always name its tracker, but it never comes from the sandbox. */
async function requireSameTrackerInFiles(
  tx: ReadTx,
  { identity, name }: { identity: string; name: string },
): Promise<void> {
  const trackers = await listFileTrackers(tx)
  const other = trackers.find((tracker) => !identity.startsWith(`${tracker}/`))
  if (other !== undefined) {
    throw createMixError(
      `This workspace has work items of ${other}, imported from a file, but the settings specify ${identity}.`,
    )
  }
  const file = trackers.length === 0 && name === SANDBOX_NAME ? await findAnySourceFile(tx) : null
  if (file === null) return
  throw new StudioError(
    'conflict',
    `This workspace has work items from the file ${file}, and no tracker is configured. The sandbox has other items under the same IDs.`,
    {
      hint: hint`Set STUDIO_TRACKER_URL to the tracker that the file comes from. To show a cached item: ${suggest('items.get', { id: '<id>', cached: true })}`,
    },
  )
}
