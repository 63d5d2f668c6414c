import { type Context, type ErrorCode, type Hint, hint, StudioError, suggest } from '../../kernel'
import type { OptionalKind } from '../../sanitize'
import type { StorageContext } from '../../storage'
import type { TrackerContext } from '../../tracker'

/** The context of operations on cached items and drafts. */
export interface WorkspaceContext extends Context, StorageContext {
  /** The person that `@me` means; null if none is configured. */
  user: string | null
  /** Optional kinds that each sanitized copy removes. */
  sanitizeAlso: readonly OptionalKind[]
  /** Says something about the result that is no part of it, such as a correction of what was typed. */
  notice(text: Hint): void
}

/** What callers called items that were not cached, by ID. Errors name these items by it. */
export type GivenReferences = Map<number, string>

/** The context of operations that also call the tracker. */
export interface TrackerWorkspaceContext extends WorkspaceContext, TrackerContext {
  givenReferences: GivenReferences
}

/** The errors of a call to the tracker. */
export const TRACKER_ERRORS = [
  'tracker_unavailable',
  'tracker_timeout',
  'tracker_answer',
  'tracker_throttled',
  'tracker_token',
  'tracker_forbidden',
] as const satisfies readonly ErrorCode[]

/** @param end why the item is gone, if the tracker gives a reason. */
export function createItemNotFoundError(id: number, advice?: Hint, end?: string): StudioError {
  const message =
    end === undefined ? `The tracker has no work item ${id}, or your token cannot read it.` : `Work item ${id}: ${end}`
  return new StudioError('not_found', message, {
    hint: advice ?? hint`Search the cached items: ${suggest('search.fast', { q: id })}`,
  })
}

export function createNoSnapshotError(id: number): StudioError {
  return new StudioError('not_found', `There is no snapshot of work item ${id}.`, {
    hint: hint`Fetch it: ${suggest('items.get', { id })}`,
  })
}
