import type { Context, ErrorCode } from '../../kernel'
import type { StorageContext } from '../../storage'
import type { TrackerContext } from '../../tracker'

/** What the operations of the workspace ask for. */
export interface WorkspaceContext extends Context, StorageContext {
  /** Who `@me` is; null when nobody said. */
  user: string | null
}

/** Those that also ask the tracker. */
export interface TrackerWorkspaceContext extends WorkspaceContext, TrackerContext {}

/** How a call can fail because of the tracker. */
export const TRACKER_ERRORS = [
  'tracker_unavailable',
  'tracker_timeout',
  'tracker_answer',
  'tracker_throttled',
  'tracker_token',
  'tracker_forbidden',
] as const satisfies readonly ErrorCode[]
