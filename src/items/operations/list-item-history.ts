import * as z from 'zod'
import { hint, inputError, operation, StudioError, suggest } from '../../kernel'
import { findGoneSince, listSnapshots, type Snapshot } from '../queries'
import { buildHistory, compareSnapshots } from '../rules/history'
import { FileSource, Instant, ItemId } from '../schemas'
import type { WorkspaceContext } from '../services/workspace-context'

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Changes = z
  .array(z.object({ field: z.string().describe("The tracker's own name"), from: Value, to: Value }))
  .describe('Fields that differ, but for those that every save changes')
const Rev = z.int().min(1)

export const listItemHistory = operation({
  id: 'items.history',
  summary: 'List the snapshots of a work item, and what changed between them',
  description:
    'Newest first; every snapshot that was ever recorded here is kept. Nothing is asked of the tracker, so what it had between two snapshots is not shown. With from and to the two are compared besides.',
  effect: 'read',
  access: 'workspace',
  input: z.strictObject({
    id: ItemId,
    from: Rev.optional().describe('Compare this revision …'),
    to: Rev.optional().describe('… with this one; the latest without it'),
  }),
  output: z.object({
    id: z.int(),
    goneSince: z.string().nullable().describe('Since when the tracker does not show the item; null where it does'),
    snapshots: z.array(
      z.object({
        rev: z.int().describe('0 where a file did not tell'),
        recordedAt: Instant,
        fromFile: FileSource.nullable().describe('The file that told it; null where the tracker did'),
        changes: Changes,
        linksChanged: z.boolean().describe('Its links differ: parent, children, predecessors, pages, files'),
      }),
    ),
    comparison: z
      .object({ from: z.int(), to: z.int(), changes: Changes, linksChanged: z.boolean() })
      .nullable()
      .describe('With from: what differs between the two'),
  }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/devops/items/{id}/history', extension: true },
  cli: {
    command: 'item history',
    args: ['id'],
    flags: { from: { value: 'rev' }, to: { value: 'rev' } },
    examples: ['studio item history 204', 'studio item history 204 --json'],
    seeAlso: ['item get', 'item freshness', 'item sync'],
  },
  async run(ctx: WorkspaceContext, { id, from, to }) {
    const { past, gone } = await ctx.db.read(async (tx) => ({
      past: await listSnapshots(tx, id),
      gone: await findGoneSince(tx, id),
    }))
    if (past.length === 0) {
      throw new StudioError('not_found', `There is no snapshot of work item ${id}.`, {
        hint: hint`Fetch it: ${suggest('items.get', { id })}`,
      })
    }
    if (from === undefined && to !== undefined) throw inputError([{ path: 'from', message: 'is required with to' }])
    return {
      id,
      goneSince: gone,
      snapshots: buildHistory(past),
      comparison: from === undefined ? null : compareRevisions(past, from, to),
    }
  },
})

function compareRevisions(past: readonly Snapshot[], from: number, to: number | undefined) {
  const before = requireLatestSnapshot(past, from, 'from')
  const after = to === undefined ? past.at(-1)! : requireLatestSnapshot(past, to, 'to')
  return { from: before.rev, to: after.rev, ...compareSnapshots(before, after) }
}

/** A revision has several snapshots where its links changed. */
function requireLatestSnapshot(past: readonly Snapshot[], rev: number, path: string): Snapshot {
  const found = past.findLast((snapshot) => snapshot.rev === rev)
  if (found) return found
  const known = [...new Set(past.map((snapshot) => snapshot.rev))].join(', ')
  throw inputError([{ path, message: `there is no snapshot of revision ${rev}; there are ${known}` }])
}
