import * as z from 'zod'
import { inputError, operation } from '../../kernel'
import { findGoneSince, findItemNames, listSnapshots } from '../queries'
import { buildHistory, compareSnapshots, type Snapshot } from '../rules/compare-snapshots'
import { FieldValue, FileSource, Instant, ItemId, Reference } from '../schemas'
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
    const { snapshots, goneSince, nameOf } = await ctx.db.read(async (tx) => ({
      nameOf: await findItemNames(tx, [id]),
      snapshots: await listSnapshots(tx, id),
      goneSince: await findGoneSince(tx, id),
    }))
    if (snapshots.length === 0) throw createNoSnapshotError(id)
    if (from === undefined && to !== undefined) throw inputError([{ path: 'from', message: 'is required with to' }])
    return {
      id,
      reference: nameOf(id),
      goneSince,
      snapshots: buildHistory(snapshots),
      comparison: from === undefined ? null : compareRevisions(snapshots, from, to),
    }
  },
})

function compareRevisions(snapshots: readonly Snapshot[], from: number, to: number | undefined) {
  const before = requireLatestSnapshot(snapshots, from, 'from')
  const after = to === undefined ? snapshots.at(-1)! : requireLatestSnapshot(snapshots, to, 'to')
  return { from: before.rev, to: after.rev, ...compareSnapshots(before, after) }
}

/** A revision has several snapshots if its links changed. */
function requireLatestSnapshot(snapshots: readonly Snapshot[], rev: number, path: string): Snapshot {
  const found = snapshots.findLast((snapshot) => snapshot.rev === rev)
  if (found) return found
  const known = [...new Set(snapshots.map((snapshot) => snapshot.rev))].join(', ')
  throw inputError([{ path, message: `there is no snapshot of revision ${rev}; use one of ${known}` }])
}
