import * as z from 'zod'
import { operation } from '../../kernel'
import type { Tracker, TrackerItem } from '../../tracker'
import {
  type AllowedValues,
  findDisallowedValues,
  findUnlistedValues,
  normalizeSpelling,
  selectFieldsToCheck,
} from '../rules/allowed-values'
import { countStatuses, type ItemOutcome, UPDATE_STATUSES } from '../rules/outcomes'
import { createUpdateError, type FieldUpdate, listRequiredParts, resolveUpdates } from '../rules/update-fields'
import { listFieldChanges } from '../rules/update-plan'
import { ItemId } from '../schemas'
import { findSnapshotConflicts, saveAfterSending } from '../services/reconcile-updates'
import { sendUpdates } from '../services/send-updates'
import { openTrackerLink } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const batchUpdate = operation({
  id: 'items.batch-update',
  summary: 'Change fields of many work items in the tracker, safely',
  description:
    'Keys may be written in any way the tracker knows them: state, State, System.State, "Assigned To". Everything is checked against the process before anything is sent, and every item is sent with a test of its revision. Where somebody else has changed an item since its snapshot, the two are merged by field; a field that both have changed is a conflict, and stays as it is. An empty value clears a field.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    itemIds: z.array(ItemId).min(1).max(1000).describe('Work item IDs'),
    updates: z.record(z.string(), z.unknown()).optional().describe('New values by field'),
    fields: z.record(z.string(), z.unknown()).optional().describe('The same; where both name a field, updates wins'),
    dryRun: z.boolean().default(false).describe('Send nothing; show what each item would become'),
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
        rev: z.int().nullable().describe('The revision after the call; null where the item could not be read'),
        message: z.string().nullable(),
        changes: z.array(z.object({ field: z.string(), from: Value, to: Value })),
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
      itemIds: { about: 'Work item IDs; - reads them from standard input' },
      updates: false,
      fields: false,
    },
    extraFlags: [
      {
        flag: '--set <Field=Value>',
        about: 'a field and its new value; more of them may follow',
        repeatable: true,
        standsFor: ['updates'],
      },
    ],
    toInput: parseArguments,
    confirm: (input) => askConfirmation(input),
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
    const mirror = await openTrackerLink(ctx)
    const { process, asked } = await resolveFields(ctx, mirror.tracker, { updates, fields })
    const at = new Date(ctx.clock.now()).toISOString()
    const { items, missing } = await mirror.tracker.getItems(ids, {
      signal: ctx.signal,
      onProgress: (done, total) => ctx.progress({ label: 'reading work items', done, total }),
    })
    const allowed = await listAllowedValues(ctx, mirror.tracker, { items, asked })
    const disallowed = [...findDisallowedValues(items, asked, process), ...findUnlistedValues(asked, allowed)]
    if (disallowed.length > 0) throw createUpdateError(disallowed)
    const wanted = normalizeSpelling(asked, items, { process, allowed })
    const outcomes = new Map<number, ItemOutcome>(
      missing.map(({ id, reason }) => [id, { status: 'rejected', rev: null, message: reason }]),
    )
    for (const [id, outcome] of await findSnapshotConflicts(ctx, items, wanted)) outcomes.set(id, outcome)
    const mergeable = items.filter(({ id }) => !outcomes.has(id))
    if (dryRun)
      for (const item of mergeable) outcomes.set(item.id, { status: 'notAttempted', rev: item.rev, message: 'dry run' })
    else {
      const sent = await sendUpdates(ctx, mergeable, wanted)
      const isSent = sent.outcomes.size > 0
      const notKept = await saveAfterSending(ctx, mirror, { read: items, changed: sent.items, isSent, at })
      for (const [id, outcome] of sent.outcomes) {
        outcomes.set(id, notKept === null ? outcome : { ...outcome, message: joinSentences(outcome.message, notKept) })
      }
    }
    return buildAnswer({ ids, items, outcomes, wanted, dryRun })
  },
})

type Given = { updates?: Record<string, unknown>; fields?: Record<string, unknown> }

/** Areas and iterations are asked for only where one is to be set. */
async function resolveFields(ctx: TrackerWorkspaceContext, tracker: Tracker, given: Given) {
  const core = await tracker.describeProcess(ctx.signal, [])
  const parts = listRequiredParts(given, core)
  const process = parts.length === 0 ? core : await tracker.describeProcess(ctx.signal, parts)
  return { process, asked: resolveUpdates(given, process, ctx.user) }
}

/** The values that the tracker would take, asked for only where a field may have a list of them. */
async function listAllowedValues(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { items, asked }: { items: readonly TrackerItem[]; asked: readonly FieldUpdate[] },
): Promise<AllowedValues[]> {
  const answers = await Promise.all(
    selectFieldsToCheck(items, asked).map(async ({ typeName, referenceName }) => {
      const values = await tracker.listAllowedValues(typeName, referenceName, ctx.signal)
      return values ? [{ typeName, referenceName, values }] : []
    }),
  )
  return answers.flat()
}

interface Answerable {
  ids: readonly number[]
  items: readonly TrackerItem[]
  outcomes: ReadonlyMap<number, ItemOutcome>
  wanted: readonly FieldUpdate[]
  dryRun: boolean
}

function buildAnswer({ ids, items, outcomes, wanted, dryRun }: Answerable) {
  const before = new Map(items.map((item) => [item.id, item]))
  const results = ids.map((id) => {
    const item = before.get(id)
    return { id, ...outcomes.get(id)!, changes: item ? listFieldChanges(item, wanted) : [] }
  })
  return { dryRun, requested: ids.length, ...countStatuses(results), results }
}

function joinSentences(first: string | null, second: string): string {
  return first === null ? second : `${first} ${second}`
}

/** Words with an equals sign are further pairs of `--set`; the others are IDs. */
function parseArguments({ set, itemIds, ...typed }: Record<string, unknown>): Record<string, unknown> {
  const words = (itemIds as string[] | undefined) ?? []
  const pairs = [...((set as string[] | undefined) ?? []), ...words.filter((word) => word.includes('='))]
  if (pairs.length === 0) throw createUpdateError([{ path: '--set', message: 'is required: --set Field=Value' }])
  const ids = words.filter((word) => !word.includes('='))
  return { ...typed, itemIds: [...new Set(ids)], updates: parsePairs(pairs) }
}

function parsePairs(pairs: readonly string[]): Record<string, string> {
  const updates = new Map<string, string>()
  for (const [key, value] of pairs.map(parsePair)) {
    if (updates.has(key)) throw createUpdateError([{ path: '--set', message: `names ${key} a second time` }])
    updates.set(key, value)
  }
  return Object.fromEntries(updates)
}

function parsePair(pair: string): [string, string] {
  const equals = pair.indexOf('=')
  if (equals < 1) throw createUpdateError([{ path: '--set', message: `"${pair}" is not of the form Field=Value` }])
  return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
}

function askConfirmation(input: Record<string, unknown>): string | null {
  const ids = input['itemIds'] as number[]
  if (input['dryRun'] === true || ids.length < 2) return null
  const fields = Object.entries((input['updates'] ?? {}) as Record<string, unknown>).map(
    ([field, value]) => `${field}=${value}`,
  )
  return `Set ${fields.join(', ')} on ${ids.length} work items?`
}
