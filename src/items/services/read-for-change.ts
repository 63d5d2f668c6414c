import { StudioError } from '../../kernel'
import type { Tracker, TrackerItem } from '../../tracker'
import { createItemNotFoundError, type TrackerWorkspaceContext } from './workspace-context'

/** Reads the current version of an item that is about to change. Throws `not_found` with the tracker's reason. */
export async function readForChange(ctx: TrackerWorkspaceContext, tracker: Tracker, id: number): Promise<TrackerItem> {
  const { items, missing } = await tracker.getItems([id], { signal: ctx.signal })
  const [item] = items
  if (item) return item
  throw createItemNotFoundError(id, undefined, missing[0]?.end)
}

/** The same, with an error that says how to find the item if the tracker does not have it. */
export async function renameNotFound<Value>(id: number, reading: Promise<Value>): Promise<Value> {
  return reading.catch((error: unknown) => {
    throw error instanceof StudioError && error.code === 'not_found' ? createItemNotFoundError(id) : error
  })
}
