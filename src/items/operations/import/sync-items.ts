import * as z from 'zod'
import { operation, StudioError } from '../../../kernel'
import type { MissingItem } from '../../../tracker'
import { findItemSummaries, type ItemSummary } from '../../queries'
import { ItemId, ItemNote, Reference } from '../../schemas'
import { StoredAttachments, storeAttachments, storesAttachments } from '../../services/attachments/store-attachments'
import { removeLeftMarkers } from '../../services/create/create-once'
import { syncTracker, type TrackerSync } from '../../services/import/sync-tracker'
import { addReferences } from '../../services/name-items'
import { groupByTracker, type TrackerGroup } from '../../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

export const syncItems = operation({
  id: 'items.sync',
  summary: 'Bring the cached work items up to date with the tracker',
  description:
    "Asks the tracker's feeds of changes and reads only the items that they list; without feeds, reads all items. The feeds do not list items that your token can no longer read, so a query finds those. An item that the tracker no longer returns is deleted or hidden; its snapshot stays. Drafts do not change.",
  effect: 'mirror',
  access: 'workspace',
  isExpensive: true,
  input: z.strictObject({
    itemIds: z.array(ItemId).max(1000).optional().describe('Only these items (default: all cached items)'),
    full: z
      .boolean()
      .default(false)
      .describe('Read all items instead of asking what has changed; also finds renamed areas and a changed process'),
    attachments: storesAttachments,
  }),
  output: z.object({
    checked: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    gone: z.int().describe('Items that the tracker does not have or that your token cannot read'),
    accessChecked: z
      .boolean()
      .describe(
        'Whether access to every item was checked. False if the tracker refused the query: an item that your token can no longer read then counts as unchanged, unless you use `full`',
      ),
    failed: z.int(),
    changes: z.array(
      z.object({
        id: z.int(),
        reference: Reference,
        fromRev: z.int(),
        toRev: z.int(),
        fields: z.array(z.string()).describe('Fields that differ; `relations` means the links'),
      }),
    ),
    missing: z.array(ItemNote).describe('Items that are gone or failed, with the reason'),
    attachments: StoredAttachments.optional().describe('Only with `attachments`'),
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
  async run(ctx: TrackerWorkspaceContext, { itemIds, full, attachments }) {
    const startedAt = ctx.clock.now()
    await removeLeftMarkers(ctx)
    const chosen = itemIds && [...new Set(itemIds)]
    const known = await ctx.db.read((tx) => findItemSummaries(tx, chosen))
    const unknown = (chosen ?? []).filter((id) => !known.has(id))
    const total: TrackerSync = { updated: 0, accessChecked: true, changes: [], missing: [] }
    const groups = await groupByTracker(ctx, [...known.keys()])
    for (const group of groups.length === 0 ? [{ name: null, ids: [] }] : groups) {
      const scope = { known: pick(known, group.ids), isComplete: chosen === undefined, full, startedAt }
      const sync = await syncTracker(ctx, group, scope).catch((error: unknown) => {
        // The items of the other trackers are synchronized all the same.
        if (groups.length < 2 || !(error instanceof StudioError) || ctx.signal.aborted) throw error
        return createFailedSync(group, error)
      })
      total.updated += sync.updated
      total.accessChecked &&= sync.accessChecked
      total.changes.push(...sync.changes)
      total.missing.push(...sync.missing)
    }
    const missing = [...total.missing, ...unknown.map((id) => ({ id, reason: NOT_CACHED, isMalformed: true as const }))]
    const failed = missing.filter(({ isMalformed }) => isMalformed).length
    const missingIds = new Set(missing.map(({ id }) => id))
    const found = [...known.keys()].filter((id) => !missingIds.has(id))
    const files = attachments ? await storeAttachments(ctx, found) : undefined
    return {
      checked: known.size + unknown.length,
      updated: total.updated,
      unchanged: found.length - total.updated,
      gone: missing.length - failed,
      accessChecked: total.accessChecked,
      failed,
      changes: await addReferences(
        ctx,
        total.changes.sort((a, b) => a.id - b.id),
      ),
      missing: await addReferences(
        ctx,
        missing.map(({ id, reason }) => ({ id, reason })).sort((a, b) => a.id - b.id),
      ),
      ...(files && { attachments: files }),
      durationMs: ctx.clock.now() - startedAt,
    }
  },
})

const NOT_CACHED = 'It is not cached. Import it: studio import --item'

/** The tracker could not be read, so each of its items is reported as failed. */
function createFailedSync({ ids }: TrackerGroup, { message }: StudioError): TrackerSync {
  const missing = ids.map((id): MissingItem => ({ id, reason: message, isMalformed: true }))
  return { updated: 0, accessChecked: true, changes: [], missing }
}

function pick(known: ReadonlyMap<number, ItemSummary>, ids: readonly number[]): Map<number, ItemSummary> {
  return new Map(ids.map((id) => [id, known.get(id)!]))
}
