import * as z from 'zod'
import { operation } from '../../kernel'
import { type KeptShape, keptShapes, noteFetched, savePosition } from '../queries'
import { ItemId } from '../schemas'
import { type MirrorContext, TRACKER_ERRORS } from '../services/context'
import { anyMayDiffer, type FoundChanges, findChanges } from '../services/find-changes'
import { keepPages } from '../services/keep-pages'
import { type Mirror, openMirror } from '../services/mirror'
import { refreshIterations } from '../services/refresh-iterations'
import { refreshPredecessors } from '../services/refresh-predecessors'

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
  async run(ctx: MirrorContext, { itemIds, full }) {
    const startedAt = ctx.clock.now()
    const at = new Date(startedAt).toISOString()
    const chosen = itemIds && [...new Set(itemIds)]
    const mirror = await openMirror(ctx)
    const known = await ctx.db.read((tx) => keptShapes(tx, chosen))
    const unknown = (chosen ?? []).filter((id) => !known.has(id))
    const changes = await changesFor(ctx, mirror, { known, isWhole: chosen === undefined, full, startedAt })
    const differing = [...known.values()].filter(changes.mayDiffer).map(({ id }) => id)
    const hidden = await hiddenAmong(ctx, mirror, { known, differing })
    const toRead = [...differing, ...(hidden ?? [])]
    const read = await keepPages(ctx, mirror, {
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
    const missing = [...read.missing, ...unknown.map((id) => ({ id, reason: notCached, isMalformed: true as const }))]
    const failed = missing.filter(({ isMalformed }) => isMalformed).length
    const isMissing = new Set(missing.map(({ id }) => id))
    const found = [...known.keys()].filter((id) => !isMissing.has(id))
    await ctx.db.write(async (tx) => {
      await noteFetched(tx, found, at)
      if (changes.position !== null && failed === 0) await savePosition(tx, changes.position, at)
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
async function hiddenAmong(
  ctx: MirrorContext,
  { tracker }: Mirror,
  { known, differing }: { known: ReadonlyMap<number, KeptShape>; differing: readonly number[] },
): Promise<number[] | null> {
  const isRead = new Set(differing)
  const others = [...known.keys()].filter((id) => !isRead.has(id))
  if (others.length === 0) return []
  const readable = await tracker.findReadableItems(others, ctx.signal)
  return readable === null ? null : others.filter((id) => !readable.has(id))
}

const notCached = 'It is not cached here. Import it: studio import --item'
const PAGE = 200

interface Wanted {
  known: ReadonlyMap<number, KeptShape>
  /** All that is kept, and not a choice of it. */
  isWhole: boolean
  full: boolean
  startedAt: number
}

async function changesFor(
  ctx: MirrorContext,
  mirror: Mirror,
  { known, isWhole, full, startedAt }: Wanted,
): Promise<FoundChanges> {
  if (!isWhole || known.size === 0) return anyMayDiffer
  ctx.progress({ label: 'asking what has changed' })
  const shapes = [...known.values()]
  const mostPages = Math.max(4, Math.ceil(shapes.length / PAGE))
  const changes = full ? anyMayDiffer : await findChanges(ctx, mirror, { shapes, mostPages })
  if (changes.position !== null) return changes
  // Everything is about to be read, so that from now on the feed can tell.
  const start = await mirror.tracker.readChanges({ since: startedAt }, { signal: ctx.signal, mostPages })
  return { ...anyMayDiffer, position: start?.position ?? null }
}
