import * as z from 'zod'
import { checkpoint, inputError, operation } from '../../kernel'
import { MAX_PART_BYTES, splitBySize } from '../../kernel/work/chunks'
import { findGoneSince, findItemNames, findSnapshots, listSnapshotSizes, type SnapshotSize } from '../queries'
import { buildHistory, compareSnapshots, type HistoryEntry, type Snapshot } from '../rules/compare-snapshots'
import { FieldValue, FileSource, GoneReason, Instant, ItemId, Reference } from '../schemas'
import { createNoSnapshotError, type WorkspaceContext } from '../services/workspace-context'

const Changes = z
  .array(z.object({ field: z.string().describe('Reference name'), from: FieldValue, to: FieldValue }))
  .describe('Fields that differ, without those that change with every save')
const Rev = z.int().min(1)

export const listItemHistory = operation({
  id: 'items.history',
  summary: 'List the snapshots of a work item and the changes between them',
  description:
    'Newest first. Shows the recorded snapshots and does not call the tracker, so changes between two snapshots are shown together. With from, also compares two revisions.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  hasLargeAnswer: true,
  input: z.strictObject({
    id: ItemId,
    from: Rev.optional().describe('Compare this revision with another one'),
    to: Rev.optional().describe('The revision to compare with (default: the latest)'),
  }),
  output: z.object({
    id: z.int(),
    reference: Reference,
    goneSince: z
      .string()
      .nullable()
      .describe('Since when the tracker has not returned the item; null if it was not found missing'),
    goneReason: GoneReason,
    snapshots: z.array(
      z.object({
        rev: z.int().describe('0 for an item from a file without revisions'),
        recordedAt: Instant,
        fromFile: FileSource.nullable().describe('The file that it was read from; null if the tracker provided it'),
        changes: Changes,
        linksChanged: z.boolean().describe('Whether its links differ: parent, children, predecessors, pages, files'),
      }),
    ),
    comparison: z
      .object({ from: z.int(), to: z.int(), changes: Changes, linksChanged: z.boolean() })
      .nullable()
      .describe('With from: the differences between the two revisions'),
  }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/devops/items/{id}/history', extension: true, cacheable: () => true },
  cli: {
    command: 'item history',
    args: ['id'],
    flags: { from: { value: 'rev' }, to: { value: 'rev' } },
    examples: ['studio item history 204', 'studio item history 204 --json'],
    seeAlso: ['item get', 'item freshness', 'item sync'],
  },
  async run(ctx: WorkspaceContext, { id, from, to }) {
    const { sizes, gone, nameOf } = await ctx.db.read(async (tx) => ({
      nameOf: await findItemNames(tx, [id]),
      sizes: await listSnapshotSizes(tx, id),
      gone: await findGoneSince(tx, id),
    }))
    if (sizes.length === 0) throw createNoSnapshotError(id)
    if (from === undefined && to !== undefined) throw inputError([{ path: 'from', message: 'is required with to' }])
    const compared = from === undefined ? null : [requireLatest(sizes, from, 'from'), requireLatest(sizes, to, 'to')]
    return {
      id,
      reference: nameOf(id),
      ...gone,
      snapshots: await readHistory(ctx, sizes),
      comparison: compared && (await compareRevisions(ctx, compared)),
    }
  },
})

/** Reads the snapshots in parts, of which only the differences stay in memory. Snapshots never change. */
async function readHistory(ctx: WorkspaceContext, sizes: readonly SnapshotSize[]): Promise<HistoryEntry[]> {
  let history: HistoryEntry[] = []
  let previous: Snapshot | undefined
  for (const part of splitBySize(sizes, ({ bytes }) => bytes, MAX_PART_BYTES)) {
    const ids = part.map(({ id }) => id)
    const snapshots = await ctx.db.read((tx) => findSnapshots(tx, ids))
    history = [...buildHistory(snapshots, previous), ...history]
    previous = snapshots.at(-1)
    await checkpoint(ctx)
  }
  return history
}

async function compareRevisions(ctx: WorkspaceContext, ids: readonly number[]) {
  const found = await ctx.db.read(async (tx) => Promise.all(ids.map((id) => findSnapshots(tx, [id]))))
  const [before, after] = found.flat() as [Snapshot, Snapshot]
  return { from: before.rev, to: after.rev, ...compareSnapshots(before, after) }
}

/** The ID of the latest snapshot of a revision, or of all. A revision has several snapshots if its links changed. */
function requireLatest(sizes: readonly SnapshotSize[], rev: number | undefined, path: string): number {
  const found = sizes.findLast((snapshot) => rev === undefined || snapshot.rev === rev)
  if (found) return found.id
  const known = [...new Set(sizes.map((snapshot) => snapshot.rev))].join(', ')
  throw inputError([{ path, message: `there is no snapshot of revision ${rev}; use one of ${known}` }])
}
