import { StudioError } from '../../kernel'
import type { ReadTx, WriteTx } from '../../storage'
import type { Tracker } from '../../tracker'
import type { StoredTrackerLink } from '../queries'

/** A tracker of the workspace, after the check that the cached items come from it. */
export interface TrackerLink {
  /** The name in the settings; null for the default tracker. */
  name: string | null
  /** Its IDs are those of the workspace. */
  tracker: Tracker
  /** The link as it was stored when it was opened; null if no items are cached yet. */
  stored: StoredTrackerLink | null
  /** Its number in the workspace; null until its first item is stored. */
  findId(tx: ReadTx): Promise<number | null>
  /** Links the workspace to this tracker, in the transaction that saves the first item. */
  claim(tx: WriteTx): Promise<void>
  /** Whether an area path belongs to the configured project. */
  isInProject(areaPath: string): boolean
}

/** Whether an area path is in the project of a tracker. */
export function createProjectTest(identity: string): TrackerLink['isInProject'] {
  const project = identity.slice(identity.lastIndexOf('/') + 1)
  return (areaPath) => areaPath.split('\\')[0]!.toLowerCase() === project
}

/** The identity of a tracker: the one that cached items have, also if it was renamed since, such as a repository. */
export async function resolveStoredIdentity(
  tracker: Tracker,
  stored: Pick<StoredTrackerLink, 'tracker'> | null,
  signal: AbortSignal,
): Promise<string> {
  const identity = await tracker.resolveIdentity(signal)
  if (stored === null || stored.tracker === identity) return identity
  return (await tracker.hadIdentity?.(stored.tracker, signal)) ? stored.tracker : identity
}

const SEPARATE_DATABASES_HINT =
  'To work with both, set the first address again and add the second tracker: studio init --add <name> --tracker-url <url>. Or set STUDIO_DB to another file.'

export function createMixError(problem: string): StudioError {
  return new StudioError('conflict', `${problem} Their IDs must not be mixed.`, { hint: SEPARATE_DATABASES_HINT })
}
