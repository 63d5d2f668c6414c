import * as z from 'zod'
import { operation } from '../../kernel'
import { type MirrorContext, TRACKER_ERRORS } from '../context'
import { anyMayDiffer, type FoundChanges, findChanges } from '../find-changes'
import { keepPages } from '../keep-pages'
import { type Mirror, openMirror } from '../mirror'
import { type KeptShape, keptShapes, noteFetched, savePosition } from '../queries'
import { refreshPredecessors } from '../refresh-predecessors'
import { ItemId } from '../schemas'

const Note = z.object({ id: z.int(), reason: z.string() })

export const syncItems = operation({
  id: 'items.sync',
  summary: 'Bring the cached work items up to date with the tracker',
  description:
    "Asks the tracker's feeds of changes, and reads only what they name; where there are none, every item is read. An item that the tracker does not show any more is gone or hidden: its snapshot stays. Drafts are left alone.",
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
    const toRead = [...known.values()].filter(changes.mayDiffer).map(({ id }) => id)
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
    const missing = [...read.missing, ...unknown.map((id) => ({ id, reason: notCached, faulty: true as const }))]
    const failed = missing.filter(({ faulty }) => faulty).length
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
      failed,
      changes: read.changes.sort((a, b) => a.id - b.id),
      missing: missing.map(({ id, reason }) => ({ id, reason })).sort((a, b) => a.id - b.id),
      durationMs: ctx.clock.now() - startedAt,
    }
  },
})

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
  const start = await mirror.tracker.changesSince({ since: startedAt }, { signal: ctx.signal, mostPages })
  return { ...anyMayDiffer, position: start?.position ?? null }
}
