import { hint, StudioError, suggest } from '../../kernel'
import type { ReadTx, WriteTx } from '../../storage'
import type { Tracker } from '../../tracker'
import {
  findAnySourceFile,
  findTrackerLink,
  insertTrackerLink,
  listFileTrackers,
  type StoredTrackerLink,
} from '../queries'
import type { TrackerWorkspaceContext } from './workspace-context'

/** The tracker, once it is certain that it is the one whose items are kept here. */
export interface TrackerLink {
  tracker: Tracker
  /** What was known of it at the start; null where nothing of any tracker is kept yet. */
  stored: StoredTrackerLink | null
  /** To be called in the write that keeps the first item: from then on the workspace is this tracker's. */
  claim(tx: WriteTx): Promise<void>
  /** Whether an item at this area path belongs to the project that the settings name. */
  isInProject(areaPath: string): boolean
}

/**
 * Opens the tracker for what keeps items. Ids of two trackers say nothing about each other, so a workspace that mirrors another one
 * refuses with `conflict`.
 */
export async function openTrackerLink(ctx: TrackerWorkspaceContext): Promise<TrackerLink> {
  const tracker = await ctx.tracker()
  const identity = await tracker.resolveIdentity(ctx.signal)
  const kept = await ctx.db.read(async (tx) => {
    await requireSameTrackerInFiles(tx, { identity, name: tracker.name })
    return requireSameTracker(tx, identity)
  })
  const project = identity.slice(identity.lastIndexOf('/') + 1)
  return {
    tracker,
    stored: kept,
    async claim(tx) {
      if ((await requireSameTracker(tx, identity)) === null) await insertTrackerLink(tx, identity)
    },
    isInProject: (areaPath) => areaPath.split('\\')[0]!.toLowerCase() === project,
  }
}

async function requireSameTracker(tx: ReadTx, identity: string): Promise<StoredTrackerLink | null> {
  const kept = await findTrackerLink(tx)
  if (kept === null || kept.tracker === identity) return kept
  throw new StudioError(
    'conflict',
    `This workspace keeps work items of ${kept.tracker}; the settings name ${identity}. Their IDs must not be mixed.`,
    {
      hint: SEPARATE_DATABASES_HINT,
    },
  )
}

/** Items out of a file belong to the tracker that it was exported from, which is not always told; it is never the stand-in for one. */
async function requireSameTrackerInFiles(
  tx: ReadTx,
  { identity, name }: { identity: string; name: string },
): Promise<void> {
  const told = await listFileTrackers(tx)
  const other = told.find((place) => !identity.startsWith(`${place}/`))
  if (other !== undefined) {
    throw new StudioError(
      'conflict',
      `This workspace keeps work items of ${other} out of a file; the settings name ${identity}. Their IDs must not be mixed.`,
      { hint: SEPARATE_DATABASES_HINT },
    )
  }
  const file = told.length === 0 && name === SANDBOX_NAME ? await findAnySourceFile(tx) : null
  if (file === null) return
  throw new StudioError(
    'conflict',
    `This workspace keeps work items out of the file ${file}, and no tracker is set: the sandbox has others under their IDs.`,
    {
      hint: hint`Set STUDIO_TRACKER_URL to the tracker that the file comes from. To see a cached item: ${suggest('items.get', { id: '<id>', cached: true })}`,
    },
  )
}

/** The stand-in for a tracker, as it calls itself. */
export const SANDBOX_NAME = 'sandbox'
export const SEPARATE_DATABASES_HINT =
  'Keep each tracker in a database of its own: set STUDIO_DB to another file. Or set STUDIO_TRACKER_URL and STUDIO_TRACKER_PROJECT back.'
