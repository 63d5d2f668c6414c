import { findItemSummaries, findUnfinishedImport, type ItemSummary } from '../queries'
import { ALL_MAY_DIFFER, findChanges } from './find-changes'
import type { TrackerLink } from './tracker-link'
import type { TrackerWorkspaceContext } from './workspace-context'

export interface ImportPlan {
  /** In the order of the tree. */
  toRead: number[]
  /** How many are as they are kept, without being read. */
  unchanged: number
  known: ReadonlyMap<number, ItemSummary>
  /** When the import began, ISO 8601: one that goes on after an interruption began then. */
  at: string
  isResumed: boolean
  /** More than a page is to be read. */
  isResumable: boolean
  mayHaveChanged(id: number): boolean
}

const PAGE_SIZE = 200
/** An import that was interrupted longer ago than that begins anew. */
const MAX_RESUME_AGE_MS = 60 * 60_000

/**
 * What of a tree has to be read. What an interrupted import has kept already is not read again; where much is kept, the tracker's
 * feed of changes tells what is not, for fewer requests than reading it.
 */
export async function planImport(
  ctx: TrackerWorkspaceContext,
  mirror: TrackerLink,
  { rootId, ids, startedAt }: { rootId: number; ids: readonly number[]; startedAt: number },
): Promise<ImportPlan> {
  const { known, unfinished } = await ctx.db.read(async (tx) => ({
    known: await findItemSummaries(tx, ids),
    unfinished: await findUnfinishedImport(tx, rootId),
  }))
  const isResumed = unfinished !== null && startedAt - Date.parse(unfinished) < MAX_RESUME_AGE_MS
  const isDone = (shape: ItemSummary) =>
    isResumed && !shape.isGone && !shape.isFromFile && shape.fetchedAt >= unfinished
  const older = [...known.values()].filter((shape) => !isDone(shape))
  const mostPages = Math.max(2, Math.floor(older.length / (4 * PAGE_SIZE)))
  const changes =
    older.length > 2 * PAGE_SIZE ? await findChanges(ctx, mirror, { shapes: older, mostPages }) : ALL_MAY_DIFFER
  const toRead = ids.filter((id) => {
    const shape = known.get(id)
    return shape === undefined || (!isDone(shape) && changes.mayDiffer(shape))
  })
  return {
    toRead,
    unchanged: ids.length - toRead.length,
    known,
    at: isResumed ? unfinished : new Date(startedAt).toISOString(),
    isResumed,
    isResumable: isResumed || toRead.length > PAGE_SIZE,
    mayHaveChanged: changes.mayHaveChanged,
  }
}
