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

export const SANDBOX_NAME = 'sandbox'
const SEPARATE_DATABASES_HINT =
  'Use a separate database for each tracker: set STUDIO_DB to another file. Or change STUDIO_TRACKER_URL and STUDIO_TRACKER_PROJECT back.'

/** The tracker, after the check that the cached items come from it. */
export interface TrackerLink {
  tracker: Tracker
  /** The link as it was stored when it was opened; null if no items are cached yet. */
  stored: StoredTrackerLink | null
  /** Links the workspace to this tracker, in the transaction that saves the first item. */
  claim(tx: WriteTx): Promise<void>
  /** Whether an area path belongs to the configured project. */
  isInProject(areaPath: string): boolean
}

/** Throws `conflict` if the cached items come from another tracker, whose IDs mean other items. */
export async function openTrackerLink(ctx: TrackerWorkspaceContext): Promise<TrackerLink> {
  const tracker = await ctx.tracker()
  const identity = await tracker.resolveIdentity(ctx.signal)
  const stored = await ctx.db.read(async (tx) => {
    await requireSameTrackerInFiles(tx, { identity, name: tracker.name })
    return requireSameTracker(tx, identity)
  })
  const project = identity.slice(identity.lastIndexOf('/') + 1)
  return {
    tracker,
    stored,
    async claim(tx) {
      if ((await requireSameTracker(tx, identity)) === null) await insertTrackerLink(tx, identity)
    },
    isInProject: (areaPath) => areaPath.split('\\')[0]!.toLowerCase() === project,
  }
}

async function requireSameTracker(tx: ReadTx, identity: string): Promise<StoredTrackerLink | null> {
  const stored = await findTrackerLink(tx)
  if (stored === null || stored.tracker === identity) return stored
  throw createMixError(`This workspace has work items of ${stored.tracker}, but the settings name ${identity}.`)
}

export function createMixError(problem: string): StudioError {
  return new StudioError('conflict', `${problem} Their IDs must not be mixed.`, { hint: SEPARATE_DATABASES_HINT })
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
      `This workspace has work items of ${other}, imported from a file, but the settings name ${identity}.`,
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
