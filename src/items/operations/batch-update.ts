import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { operation } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import { addHtml } from '../rules/long-text'
import { createUpdateError, parseFieldPairs } from '../rules/update-fields'
import { countStatuses, type ItemOutcome, listFieldChanges, UPDATE_STATUSES } from '../rules/update-plan'
import { FieldChange, ItemId } from '../schemas'
import { checkValues, resolveFields } from '../services/check-updates'
import { findSnapshotConflicts, saveAfterSending } from '../services/reconcile-updates'
import { sendUpdates } from '../services/send-updates'
import { openTrackerLink } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const batchUpdate = operation({
  id: 'items.batch-update',
  summary: 'Change fields of many work items in the tracker',
  description:
    'Write the name of a field in any form: state, State, System.State, "Assigned To". All values are checked against the process before anything is sent, and each item is sent with a test of its revision. If another user changed an item since its snapshot, both changes are merged by field; if both changed the same field, the item is a conflict and is not sent. An empty value clears a field. Long texts are given in Markdown and converted to HTML where the item stores HTML.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    itemIds: z.array(ItemId).min(1).max(1000).describe('Work item IDs'),
    updates: z.record(z.string(), z.unknown()).optional().describe('New values by field'),
    fields: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Like updates, which overrides it for the same field'),
    dryRun: z.boolean().default(false).describe('Send nothing; show the changes of each item'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    requested: z.int(),
    applied: z.int(),
    conflicts: z.int(),
    rejected: z.int(),
    notAttempted: z.int(),
    unknown: z.int(),
    results: z.array(
      z.object({
        id: z.int(),
        status: z.enum(UPDATE_STATUSES),
        rev: z.int().nullable().describe('The revision after the call; null if the item could not be read'),
        message: z.string().nullable(),
        changes: z.array(FieldChange),
      }),
    ),
  }),
  errors: ['conflict', ...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/helper/batch-update', withinMs: 10 * 60_000 },
  cli: {
    command: 'batch-update',
    args: ['itemIds...'],
    argumentNames: { itemIds: 'itemId' },
    flags: {
      itemIds: { about: 'Work item IDs, or - to read them from standard input' },
      updates: false,
      fields: false,
    },
    extraFlags: [
      {
        flag: '--set <Field=Value>',
        about: 'a field and its new value, or =@file for the text of a file; can be repeated',
        readsFiles: true,
        repeatable: true,
        standsFor: ['updates'],
      },
    ],
    toInput: parseArguments,
    confirm: (input) => askConfirmation(input),
    confirmDryRun: (preview) => askAfterPreview(preview as BatchUpdatePreview),
    examples: [
      'studio batch-update 343 344 --set State=Active --dry-run',
      'studio batch-update 343 344 --set State=Active --set "Iteration=Sprint 24" --yes',
      'echo 343 344 | studio batch-update - --set Priority=1 --yes',
    ],
    seeAlso: ['item list', 'item metadata', 'item get'],
  },
  isPartial: (answer) => !answer.dryRun && answer.applied < answer.requested,
  async run(ctx: TrackerWorkspaceContext, { itemIds, updates, fields, dryRun }) {
    const ids = [...new Set(itemIds)]
    const link = await openTrackerLink(ctx)
    const { process, requested } = await resolveFields(ctx, link.tracker, { updates, fields })
    const at = formatInstant(ctx.clock.now())
    const { items, missing } = await link.tracker.getItems(ids, {
      signal: ctx.signal,
      onProgress: (done, total) => ctx.progress({ label: 'reading work items', done, total }),
    })
    const toSet = addHtml(await checkValues(ctx, link.tracker, { items, requested, process }), items)
    const outcomes = new Map<number, ItemOutcome>(
      missing.map(({ id, reason }) => [id, { status: 'rejected', rev: null, message: reason }]),
    )
    for (const [id, outcome] of await findSnapshotConflicts(ctx, items, toSet)) outcomes.set(id, outcome)
    const mergeable = items.filter(({ id }) => !outcomes.has(id))
    if (dryRun)
      for (const item of mergeable) outcomes.set(item.id, { status: 'notAttempted', rev: item.rev, message: 'dry run' })
    else {
      const sent = await sendUpdates(ctx, mergeable, toSet)
      const isSent = sent.outcomes.size > 0
      const problem = await saveAfterSending(ctx, link, { read: items, changed: sent.items, isSent, at })
      for (const [id, outcome] of sent.outcomes) {
        outcomes.set(
          id,
          problem === null ? outcome : { ...outcome, message: [outcome.message, problem].filter(Boolean).join(' ') },
        )
      }
    }
    const before = new Map(items.map((item) => [item.id, item]))
    const results = []
    for (const id of ids) {
      const item = before.get(id)
      results.push({ id, ...outcomes.get(id)!, changes: item ? listFieldChanges(item, toSet) : [] })
      // Long texts are converted to be shown, which takes milliseconds for each. Other calls must not wait for all of them.
      if (toSet.some(({ html }) => html !== undefined)) await setImmediate()
    }
    return { dryRun, requested: ids.length, ...countStatuses(results), results }
  },
})

/** Arguments with an equals sign are further pairs of `--set`; the others are IDs. */
function parseArguments({ set, itemIds, ...typed }: Record<string, unknown>): Record<string, unknown> {
  const words = (itemIds as string[] | undefined) ?? []
  const pairs = [...((set as string[] | undefined) ?? []), ...words.filter((word) => word.includes('='))]
  if (pairs.length === 0) throw createUpdateError([{ path: '--set', message: 'is required: --set Field=Value' }])
  const ids = words.filter((word) => !word.includes('='))
  return { ...typed, itemIds: [...new Set(ids)], updates: parseFieldPairs(pairs) }
}

interface BatchUpdatePreview {
  results: { id: number; status: string; changes: unknown[] }[]
}

/** Null if the preview has nothing to send. */
function askAfterPreview({ results }: BatchUpdatePreview): string | null {
  const toSend = results.filter(({ status, changes }) => status === 'notAttempted' && changes.length > 0)
  const [first] = toSend
  if (!first) return null
  return toSend.length === 1
    ? `Save these changes to work item ${first.id}?`
    : `Save these changes to ${toSend.length} work items?`
}

/** A script names its one item, so only several need `--yes`. */
function askConfirmation(input: Record<string, unknown>): string | null {
  const ids = input['itemIds'] as number[]
  if (input['dryRun'] === true || ids.length < 2) return null
  const fields = Object.entries((input['updates'] ?? {}) as Record<string, unknown>).map(
    ([field, value]) => `${field}=${value}`,
  )
  return `Set ${fields.join(', ')} on ${ids.length} work items?`
}
