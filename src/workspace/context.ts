import type { Context } from '../kernel'
import type { StorageContext } from '../storage'
import type { TrackerContext } from '../tracker'

/** What the operations of the workspace ask for. */
export interface WorkspaceContext extends Context, StorageContext {
  /** Who `@me` is; null when nobody said. */
  user: string | null
}

/** Those that also ask the tracker. */
export interface MirrorContext extends WorkspaceContext, TrackerContext {}
