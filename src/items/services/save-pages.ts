import { afterParts } from '../../kernel'
import type { MissingItem } from '../../tracker'
import { clearGone, type ItemSummary, markGone } from '../queries'
import type { TrackerLink } from './tracker-link'
import { type SaveCounts, type SavedChange, upsertItems } from './upsert-items'
import type { TrackerWorkspaceContext } from './workspace-context'

export interface PagesResult {
  counts: SaveCounts
  /** Empty unless they are asked for. */
  changes: SavedChange[]
  missing: MissingItem[]
}

export interface PagesRequest {
  ids: readonly number[]
  /** As they are kept: what is still so is not kept again. */
  known: ReadonlyMap<number, ItemSummary>
  /** When the reading began, ISO 8601. */
  at: string
  label: string
  withChanges?: boolean
  /** True where also what stands in the same revision is to be compared: its area may have another name, its state another category. */
  isThorough?: boolean
  /** Looks at what is missing on a page before the page is kept. */
  onMissing?(missing: readonly MissingItem[]): void
}

/**
 * Reads items and keeps them page by page, each in a write of its own: an interruption costs one page, and memory holds a few pages
 * whatever their number. What is kept of an item that is missing stays, and is marked.
 */
export async function savePages(
  ctx: TrackerWorkspaceContext,
  mirror: TrackerLink,
  order: PagesRequest,
): Promise<PagesResult> {
  const { ids, known, at, label, withChanges, isThorough = false } = order
  const read: PagesResult = { counts: { imported: 0, updated: 0, unchanged: 0 }, changes: [], missing: [] }
  const pages = mirror.tracker.readItems(ids, {
    signal: ctx.signal,
    known: isThorough ? undefined : known,
    onProgress: (done, total) => ctx.progress({ label, done, total }),
  })
  for await (const { items, unchanged, missing } of pages) {
    order.onMissing?.(missing)
    const gone = missing.filter(({ id, isMalformed }) => known.has(id) && !isMalformed).map(({ id }) => id)
    read.counts.unchanged += unchanged.length
    read.missing.push(...missing)
    const back = unchanged.filter((id) => known.get(id)?.isGone)
    if (items.length + gone.length + back.length === 0) continue
    const writing = ctx.db.write(async (tx) => {
      await mirror.claim(tx)
      await markGone(tx, gone, at)
      await clearGone(tx, back)
      return upsertItems(
        tx,
        items.map((item) => ({ item, predecessors: null })),
        { at, withChanges },
      )
    })
    const kept = await writing.catch((error) => {
      const done = read.counts.imported + read.counts.updated
      if (done === 0) throw error
      throw afterParts(error, {
        done: `${done === 1 ? 'One work item is' : `${done} work items are`} kept already.`,
        again: 'It goes on from there.',
      })
    })
    for (const name of ['imported', 'updated', 'unchanged'] as const) read.counts[name] += kept.counts[name]
    read.changes.push(...kept.changes)
  }
  return read
}
