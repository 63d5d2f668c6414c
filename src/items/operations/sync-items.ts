import * as z from 'zod'
import { operation } from '../../kernel'
import { findItemSummaries, type ItemSummary, markFetched, saveSyncPosition } from '../queries'
import { ItemId } from '../schemas'
import { ALL_MAY_DIFFER, type DetectedChanges, findChanges } from '../services/find-changes'
import { refreshIterations } from '../services/refresh-iterations'
import { refreshPredecessors } from '../services/refresh-predecessors'
import { savePages } from '../services/save-pages'
import { openTrackerLink, type TrackerLink } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

const Note = z.object({ id: z.int(), reason: z.string() })

export const syncItems = operation({
  id: 'items.sync',
  summary: 'Bring the cached work items up to date with the tracker',
  description:
    "Asks the tracker's feeds of changes, and reads only what they name; where there are none, every item is read. The feeds do not name items that your token may no longer read, so a query looks for the others. An item that the tracker does not show any more is gone or hidden: its snapshot stays. Drafts are left alone.",
  effect: 'mirror',
  access: 'workspace',
  input: z.strictObject({
    itemIds: z.array(ItemId).max(1000).optional().describe('Only these; all cached items without it'),
    full: z
      .boolean()
      .default(false)
      .describe(
        'Read every item again instead of asking what has changed; finds renamed areas and a changed process too',
      ),
  }),
  output: z.object({
    checked: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    gone: z.int().describe('The tracker does not have them, or does not show them with this token'),
    accessChecked: z
      .boolean()
      .describe(
        'Whether every item was looked for. False where the tracker refused the query: an item that the token may no longer read then counts as unchanged; `full` finds it',
      ),
    failed: z.int(),
    changes: z.array(
      z.object({
        id: z.int(),
        fromRev: z.int(),
        toRev: z.int(),
        fields: z.array(z.string()).describe('What differs; `relations` stands for the links'),
      }),
    ),
    missing: z.array(Note).describe('Those that are gone or failed, and why'),
    durationMs: z.int(),
  }),
  errors: ['conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/helper/sync', withinMs: 30 * 60_000 },
  cli: {
    command: 'item sync',
    args: ['itemIds...'],
    argumentNames: { itemIds: 'itemId' },
    examples: ['studio item sync', 'studio item sync 204 205', 'studio item sync --full'],
    seeAlso: ['import', 'item list', 'item history'],
  },
  isPartial: (answer) => answer.failed > 0,
  async run(ctx: TrackerWorkspaceContext, { itemIds, full }) {
    const startedAt = ctx.clock.now()
    const at = new Date(startedAt).toISOString()
    const chosen = itemIds && [...new Set(itemIds)]
    const mirror = await openTrackerLink(ctx)
    const known = await ctx.db.read((tx) => findItemSummaries(tx, chosen))
    const unknown = (chosen ?? []).filter((id) => !known.has(id))
    const changes = await detectChanges(ctx, mirror, { known, isWhole: chosen === undefined, full, startedAt })
    const differing = [...known.values()].filter(changes.mayDiffer).map(({ id }) => id)
    const hidden = await findHiddenItems(ctx, mirror, { known, differing })
    const toRead = [...differing, ...(hidden ?? [])]
    const read = await savePages(ctx, mirror, {
      ids: toRead,
      known,
      at,
      label: 'syncing work items',
      withChanges: true,
      isThorough: full,
    })
    await refreshPredecessors(ctx, mirror.tracker, {
      of: (id) => known.has(id),
      isDoubtful: changes.mayHaveChanged,
    })
    if (known.size > 0) {
      await refreshIterations(ctx, mirror.tracker, { hasNews: read.counts.imported + read.counts.updated > 0 })
    }
    const missing = [...read.missing, ...unknown.map((id) => ({ id, reason: NOT_CACHED, isMalformed: true as const }))]
    const failed = missing.filter(({ isMalformed }) => isMalformed).length
    const isMissing = new Set(missing.map(({ id }) => id))
    const found = [...known.keys()].filter((id) => !isMissing.has(id))
    await ctx.db.write(async (tx) => {
      await markFetched(tx, found, at)
      if (changes.position !== null && failed === 0) await saveSyncPosition(tx, changes.position, at)
    })
    return {
      checked: known.size + unknown.length,
      updated: read.counts.updated,
      unchanged: found.length - read.counts.updated,
      gone: missing.length - failed,
      accessChecked: hidden !== null,
      failed,
      changes: read.changes.sort((a, b) => a.id - b.id),
      missing: missing.map(({ id, reason }) => ({ id, reason })).sort((a, b) => a.id - b.id),
      durationMs: ctx.clock.now() - startedAt,
    }
  },
})

/** Items that nothing says have changed, and that a query does not find all the same. Null where it cannot be asked. */
async function findHiddenItems(
  ctx: TrackerWorkspaceContext,
  { tracker }: TrackerLink,
  { known, differing }: { known: ReadonlyMap<number, ItemSummary>; differing: readonly number[] },
): Promise<number[] | null> {
  const isRead = new Set(differing)
  const others = [...known.keys()].filter((id) => !isRead.has(id))
  if (others.length === 0) return []
  const readable = await tracker.findReadableItems(others, ctx.signal)
  return readable === null ? null : others.filter((id) => !readable.has(id))
}

const NOT_CACHED = 'It is not cached here. Import it: studio import --item'
const PAGE_SIZE = 200

interface SyncScope {
  known: ReadonlyMap<number, ItemSummary>
  /** All that is kept, and not a choice of it. */
  isWhole: boolean
  full: boolean
  startedAt: number
}

async function detectChanges(
  ctx: TrackerWorkspaceContext,
  mirror: TrackerLink,
  { known, isWhole, full, startedAt }: SyncScope,
): Promise<DetectedChanges> {
  if (!isWhole || known.size === 0) return ALL_MAY_DIFFER
  ctx.progress({ label: 'asking what has changed' })
  const shapes = [...known.values()]
  const mostPages = Math.max(4, Math.ceil(shapes.length / PAGE_SIZE))
  const changes = full ? ALL_MAY_DIFFER : await findChanges(ctx, mirror, { shapes, mostPages })
  if (changes.position !== null) return changes
  // Everything is about to be read, so that from now on the feed can tell.
  const start = await mirror.tracker.readChanges({ since: startedAt }, { signal: ctx.signal, mostPages })
  return { ...ALL_MAY_DIFFER, position: start?.position ?? null }
}
