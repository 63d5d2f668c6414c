import { StudioError } from '../../kernel'
import type { ReadComments, Tracker } from '../../tracker'
import { createItemNotFoundError, type TrackerWorkspaceContext } from './workspace-context'

/** Reads the newest comments. Throws `not_found` if the tracker has no such item. */
export async function readComments(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { id, limit }: { id: number; limit: number },
): Promise<ReadComments> {
  try {
    return await tracker.listComments(id, { limit, signal: ctx.signal })
  } catch (error) {
    throw error instanceof StudioError && error.code === 'not_found' ? createItemNotFoundError(id) : error
  }
}
