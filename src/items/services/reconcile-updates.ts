import { ofThePart, StudioError } from '../../kernel'
import type { TrackerItem } from '../../tracker'
import { findItemSummaries, findLatestFieldsByItem } from '../queries'
import type { ItemOutcome } from '../rules/outcomes'
import type { FieldUpdate } from '../rules/update-fields'
import { findConflictingChanges, formatConflict } from '../rules/update-plan'
import { refreshPredecessors } from './refresh-predecessors'
import type { TrackerLink } from './tracker-link'
import { upsertItems } from './upsert-items'
import type { TrackerWorkspaceContext } from './workspace-context'

/**
 * Whoever updates an item has seen the snapshot. Where the tracker has another revision by now, the two are merged by field, and what
 * somebody else did to the same field is not overwritten.
 */
export async function findSnapshotConflicts(
  ctx: TrackerWorkspaceContext,
  items: readonly TrackerItem[],
  wanted: readonly FieldUpdate[],
): Promise<[number, ItemOutcome][]> {
  const { seen, isFromFile } = await ctx.db.read(async (tx) => {
    const shapes = await findItemSummaries(
      tx,
      items.map(({ id }) => id),
    )
    const stale = items.filter(({ id, rev }) => shapes.has(id) && shapes.get(id)!.rev !== rev)
    const seen = await findLatestFieldsByItem(
      tx,
      stale.map(({ id }) => id),
    )
    return { seen, isFromFile: (id: number) => shapes.get(id)?.isFromFile ?? false }
  })
  return items.flatMap((item): [number, ItemOutcome][] => {
    const base = seen.get(item.id)
    // Of what a file did not tell, nobody has seen another value.
    const told = base && isFromFile(item.id) ? wanted.filter(({ field }) => field.referenceName in base) : wanted
    const lost = base === undefined ? [] : findConflictingChanges(base, item, told)
    return lost.length === 0
      ? []
      : [[item.id, { status: 'conflict', rev: item.rev, message: formatConflict(lost, item) }]]
  })
}

function withoutPredecessors(item: TrackerItem) {
  return { item, predecessors: null }
}

interface SendOutcome {
  read: readonly TrackerItem[]
  changed: readonly TrackerItem[]
  /** True where there are outcomes that must not be lost. */
  isSent: boolean
  /** When the first of them were read, ISO 8601. */
  at: string
}

/**
 * Keeps what the tracker has now: also what was only read, so that a second try starts from what it showed. What the tracker has done is
 * done, and the caller must hear of it: where something was sent and cannot be kept, that is a text, not an error.
 */
export async function saveAfterSending(
  ctx: TrackerWorkspaceContext,
  mirror: TrackerLink,
  { read, changed, isSent, at }: SendOutcome,
): Promise<string | null> {
  // An item that was read again and sent again is there more than once.
  const latest = new Map(changed.map((item) => [item.id, item]))
  const now = new Date(ctx.clock.now()).toISOString()
  try {
    await ctx.db.write(async (tx) => {
      if (read.length > 0) await mirror.claim(tx)
      await upsertItems(tx, [...latest.values()].map(withoutPredecessors), { at: now, since: at })
      await upsertItems(tx, read.filter(({ id }) => !latest.has(id)).map(withoutPredecessors), { at })
    })
  } catch (error) {
    if (!(error instanceof StudioError) || !isSent) throw error
    return `Its snapshot could not be kept here: ${ofThePart(error.message)}`
  }
  await readUnknownPredecessors(ctx, mirror, read)
  return null
}

async function readUnknownPredecessors(
  ctx: TrackerWorkspaceContext,
  mirror: TrackerLink,
  read: readonly TrackerItem[],
) {
  const isRead = new Set(read.map(({ id }) => id))
  await refreshPredecessors(ctx, mirror.tracker, { of: (id) => isRead.has(id), isDoubtful: () => false }).catch(
    (error: unknown) => ctx.log.warn('predecessors could not be read', { error: String(error) }),
  )
}
