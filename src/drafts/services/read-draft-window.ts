import type { WorkspaceContext } from '../../items'
import { checkpoint, type ListWindow } from '../../kernel'
import { MAX_PART_BYTES, splitBySize } from '../../kernel/work/chunks'
import { type DraftOutline, findDrafts } from '../queries'
import { createDraftOrder, type DraftSort, sortDrafts } from '../rules/draft-sort'
import type { Draft } from '../schemas'

/**
 * Reads the drafts of a window of a list from their outlines. The drafts may have changed since the outlines were read: one that is not in
 * the window any more is left out, and the next one takes its place.
 */
export async function readDraftWindow(
  ctx: WorkspaceContext,
  outlines: readonly DraftOutline[],
  { sort, window: { from, count } }: { sort: DraftSort; window: ListWindow },
): Promise<Draft[]> {
  const { key, compare } = createDraftOrder(sort)
  const all = sortDrafts(outlines, sort).filter((outline) => from === null || compare(key(outline), from) >= 0)
  const entries: Draft[] = []
  let at = 0
  while (entries.length < count && at < all.length) {
    const wanted = all.slice(at, at + count - entries.length)
    const next = all[at + wanted.length]
    const [part = []] = splitBySize(wanted, ({ bytes }) => bytes, MAX_PART_BYTES)
    const ids = part.map(({ id }) => id)
    for (const draft of await ctx.db.read((tx) => findDrafts(tx, ids))) {
      const isBefore = from !== null && compare(key(draft), from) < 0
      const isAfter = next !== undefined && compare(key(draft), key(next)) >= 0
      if (!isBefore && !isAfter) entries.push(draft)
    }
    at += part.length
    await checkpoint(ctx)
  }
  return sortDrafts(entries, sort)
}
