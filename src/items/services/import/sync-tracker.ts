import { formatInstant } from '../../../kernel/time'
import type { MissingItem } from '../../../tracker'
import { type ItemSummary, markCompared, markFetched, saveSyncPosition, saveSyncSuccess } from '../../queries'
import { refreshFieldNames } from '../custom-fields'
import type { TrackerLink } from '../tracker-identity'
import { openTrackerLink, type TrackerGroup } from '../tracker-link'
import type { TrackerWorkspaceContext } from '../workspace-context'
import { savePages } from './fetch-items'
import { ALL_MAY_DIFFER, type DetectedChanges, findChanges } from './find-changes'
import { refreshIterations, refreshPredecessors } from './refresh-related'
import type { SavedChange } from './upsert-items'

/** What was read from one tracker. */
export interface TrackerSync {
  updated: number
  accessChecked: boolean
  changes: SavedChange[]
  missing: MissingItem[]
}

/** Brings the cached items of one tracker up to date. */
export async function syncTracker(
  ctx: TrackerWorkspaceContext,
  { name }: TrackerGroup,
  scope: SyncScope,
): Promise<TrackerSync> {
  const { known, full, checksAccess = true, startedAt } = scope
  const at = formatInstant(startedAt)
  const link = await openTrackerLink(ctx, { name: name ?? undefined })
  const changes = await detectChanges(ctx, link, scope)
  const differing = [...known.values()].filter(changes.mayDiffer).map(({ id }) => id)
  // To an expired token, a tracker may answer as to anyone, with an empty list of changes, which would confirm all that is cached.
  if (!checksAccess && changes.position !== null) await link.tracker.checkCredential(ctx.signal)
  const hidden = checksAccess ? await findHiddenItems(ctx, link, { known, differing }) : []
  const read = await savePages(ctx, link, {
    ids: [...differing, ...(hidden ?? [])],
    known,
    at,
    label: name === null ? 'syncing work items' : `syncing work items of ${name}`,
    withChanges: true,
    isFull: full,
  })
  const { mayHaveChanged } = changes
  try {
    await refreshPredecessors(ctx, link.tracker, { of: (id) => known.has(id), mayHaveChanged })
    const hasNews = read.counts.imported + read.counts.updated > 0
    if (known.size > 0) await refreshIterations(ctx, link, { hasNews })
    if (known.size > 0) await refreshFieldNames(ctx, link, { hasNews })
    const missingIds = new Set(read.missing.map(({ id }) => id))
    await ctx.db.write(async (tx) => {
      const found = [...known.keys()].filter((id) => !missingIds.has(id))
      if (!scope.isComplete) await markFetched(tx, found, at)
      const trackerId = await link.findId(tx)
      const isComplete = read.missing.every(({ isMalformed }) => !isMalformed)
      if (trackerId === null || !isComplete) return
      if (changes.position !== null) await saveSyncPosition(tx, trackerId, { position: changes.position, at })
      if (!scope.isComplete) return
      await markCompared(
        tx,
        found.filter((id) => !known.get(id)!.isCompared),
      )
      await saveSyncSuccess(tx, trackerId, at)
    })
  } finally {
    await read.settled
  }
  return {
    updated: read.counts.updated,
    accessChecked: hidden !== null,
    changes: read.changes,
    missing: read.missing,
  }
}

/** Items without reported changes that a query does not find; null if the tracker refuses the query. */
async function findHiddenItems(
  ctx: TrackerWorkspaceContext,
  { tracker }: TrackerLink,
  { known, differing }: { known: ReadonlyMap<number, ItemSummary>; differing: readonly number[] },
): Promise<number[] | null> {
  const toRead = new Set(differing)
  const others = [...known.keys()].filter((id) => !toRead.has(id))
  if (others.length === 0) return []
  const readable = await tracker.findReadableItems(others, ctx.signal)
  return readable === null ? null : others.filter((id) => !readable.has(id))
}

const PAGE_SIZE = 200

export interface SyncScope {
  known: ReadonlyMap<number, ItemSummary>
  /** Whether `known` are all cached items. */
  isComplete: boolean
  full: boolean
  /** Whether to ask which items the token can no longer read, which the feeds do not say (default: yes). */
  checksAccess?: boolean
  startedAt: number
}

async function detectChanges(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { known, isComplete, full, startedAt }: SyncScope,
): Promise<DetectedChanges> {
  if (!isComplete || known.size === 0) return ALL_MAY_DIFFER
  ctx.progress({ label: 'asking what has changed' })
  const items = [...known.values()]
  const maxPages = Math.max(4, Math.ceil(items.length / PAGE_SIZE))
  const changes = full ? ALL_MAY_DIFFER : await findChanges(ctx, link, { items, maxPages })
  if (changes.position !== null) return changes
  // All items are about to be read, so the next sync can start from the feed's current position.
  const start = await link.tracker.readChanges({ since: startedAt }, { signal: ctx.signal, maxPages })
  return { ...ALL_MAY_DIFFER, position: start?.position ?? null }
}
