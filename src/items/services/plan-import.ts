import { type KeptShape, keptShapes, unfinishedImport } from '../queries'
import type { MirrorContext } from './context'
import { anyMayDiffer, findChanges } from './find-changes'
import type { Mirror } from './mirror'

export interface ImportPlan {
  /** In the order of the tree. */
  toRead: number[]
  /** How many are as they are kept, without being read. */
  unchanged: number
  known: ReadonlyMap<number, KeptShape>
  /** When the import began, ISO 8601: one that goes on after an interruption began then. */
  at: string
  isResumed: boolean
  /** More than a page is to be read. */
  isResumable: boolean
  mayHaveChanged(id: number): boolean
}

const PAGE = 200
/** An import that was interrupted longer ago than that begins anew. */
const RESUME_WITHIN_MS = 60 * 60_000

/**
 * What of a tree has to be read. What an interrupted import has kept already is not read again; where much is kept, the tracker's
 * feed of changes tells what is not, for fewer requests than reading it.
 */
export async function planImport(
  ctx: MirrorContext,
  mirror: Mirror,
  { rootId, ids, startedAt }: { rootId: number; ids: readonly number[]; startedAt: number },
): Promise<ImportPlan> {
  const { known, unfinished } = await ctx.db.read(async (tx) => ({
    known: await keptShapes(tx, ids),
    unfinished: await unfinishedImport(tx, rootId),
  }))
  const isResumed = unfinished !== null && startedAt - Date.parse(unfinished) < RESUME_WITHIN_MS
  const isDone = (shape: KeptShape) => isResumed && !shape.isGone && !shape.isFromFile && shape.fetchedAt >= unfinished
  const older = [...known.values()].filter((shape) => !isDone(shape))
  const mostPages = Math.max(2, Math.floor(older.length / (4 * PAGE)))
  const changes = older.length > 2 * PAGE ? await findChanges(ctx, mirror, { shapes: older, mostPages }) : anyMayDiffer
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
    isResumable: isResumed || toRead.length > PAGE,
    mayHaveChanged: changes.mayHaveChanged,
  }
}
