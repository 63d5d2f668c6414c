import * as z from 'zod'
import { operation } from '../../kernel'
import type { TrackerItem } from '../../tracker'
import { type MirrorContext, TRACKER_ERRORS } from '../context'
import { type FetchedItem, fetchItems, saveFetched } from '../fetch'
import { countStatuses, type ItemOutcome, OUTCOMES } from '../rules/outcomes'
import { type FieldUpdate, refusal, resolveUpdates } from '../rules/update-fields'
import { changesOf, disallowedValues, openQuestions, unlistedValues } from '../rules/update-plan'
import { ItemId } from '../schemas'
import { sendUpdates } from '../send-updates'

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const batchUpdate = operation({
  id: 'items.batch-update',
  summary: 'Change fields of many work items in the tracker, safely',
  description:
    'Keys may be written in any way the tracker knows them: state, State, System.State, "Assigned To". Everything is checked against the process before anything is sent, and every item is sent with a test of its revision. An empty value clears a field.',
  effect: 'write',
  access: 'workspace',
  input: z.strictObject({
    itemIds: z.array(ItemId).min(1).max(1000).describe('Work item IDs; - reads them from standard input'),
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
        status: z.enum(OUTCOMES),
        rev: z.int().nullable().describe('The revision after the call; null where the item could not be read'),
        message: z.string().nullable(),
        changes: z.array(z.object({ field: z.string(), from: Value, to: Value })),
      }),
    ),
  }),
  errors: [...TRACKER_ERRORS],
  http: { method: 'post', path: '/api/helper/batch-update' },
  cli: {
    command: 'batch-update',
    args: ['itemIds...'],
    argumentNames: { itemIds: 'itemId' },
    flags: { updates: false, fields: false },
    extraFlags: [
      {
        flag: '--set <Field=Value>',
        about: 'a field and its new value; more of them may follow',
        repeatable: true,
        standsFor: ['updates'],
      },
    ],
    toInput: typedUpdate,
    confirm: (input) => confirmation(input),
    examples: [
      'studio batch-update 343 344 --set State=Active --dry-run',
      'studio batch-update 343 344 --set State=Active --set "Iteration=Sprint 24" --yes',
      'echo 343 344 | studio batch-update - --set Priority=1 --yes',
    ],
    seeAlso: ['item list', 'item get'],
  },
  isPartial: (answer) => !answer.dryRun && answer.applied < answer.requested,
  async run(ctx: MirrorContext, { itemIds, updates, fields, dryRun }) {
    const ids = [...new Set(itemIds)]
    const tracker = await ctx.tracker()
    const process = await tracker.describeProcess(ctx.signal)
    const wanted = resolveUpdates({ updates, fields }, process, ctx.user)
    const { fetched, missing } = await fetchItems(ctx, ids, 'reading work items')
    const items = fetched.map(({ item }) => item)
    const disallowed = [...disallowedValues(items, wanted, process), ...(await unlisted(ctx, items, wanted))]
    if (disallowed.length > 0) throw refusal(disallowed)
    const outcomes = new Map<number, ItemOutcome>(
      missing.map(({ id, reason }) => [id, { status: 'rejected', rev: null, message: reason }]),
    )
    if (dryRun)
      for (const item of items) outcomes.set(item.id, { status: 'notAttempted', rev: item.rev, message: 'dry run' })
    else for (const [id, outcome] of await applyAndKeep(ctx, fetched, wanted)) outcomes.set(id, outcome)
    return answerFor({ ids, items, outcomes, wanted, dryRun })
  },
})

/** Values that the tracker would not take, asked for only where a field may have a list of them. */
async function unlisted(ctx: MirrorContext, items: readonly TrackerItem[], wanted: readonly FieldUpdate[]) {
  const tracker = await ctx.tracker()
  const questions = openQuestions(items, wanted)
  const answers = await Promise.all(
    questions.map(async ({ typeName, referenceName }) => {
      const values = await tracker.allowedValues(typeName, referenceName, ctx.signal)
      return values ? [{ typeName, referenceName, values }] : []
    }),
  )
  return unlistedValues(wanted, answers.flat())
}

/** Sends the changes, and keeps what the tracker has afterwards. */
async function applyAndKeep(ctx: MirrorContext, fetched: readonly FetchedItem[], wanted: readonly FieldUpdate[]) {
  const sent = await sendUpdates(
    ctx,
    fetched.map(({ item }) => item),
    wanted,
  )
  const predecessors = new Map(fetched.map((entry) => [entry.item.id, entry.predecessors]))
  const news = sent.items.map((item) => ({ item, predecessors: predecessors.get(item.id) ?? [] }))
  await ctx.db.write((tx) => saveFetched(tx, news, new Date(ctx.clock.now()).toISOString()))
  return sent.outcomes
}

interface Answerable {
  ids: readonly number[]
  items: readonly TrackerItem[]
  outcomes: ReadonlyMap<number, ItemOutcome>
  wanted: readonly FieldUpdate[]
  dryRun: boolean
}

function answerFor({ ids, items, outcomes, wanted, dryRun }: Answerable) {
  const before = new Map(items.map((item) => [item.id, item]))
  const results = ids.map((id) => {
    const item = before.get(id)
    return { id, ...outcomes.get(id)!, changes: item ? changesOf(item, wanted) : [] }
  })
  return { dryRun, requested: ids.length, ...countStatuses(results), results }
}

/** Words with an equals sign are further pairs of `--set`; the others are IDs. */
function typedUpdate({ set, itemIds, ...typed }: Record<string, unknown>): Record<string, unknown> {
  const words = (itemIds as string[] | undefined) ?? []
  const pairs = [...((set as string[] | undefined) ?? []), ...words.filter((word) => word.includes('='))]
  if (pairs.length === 0) throw refusal([{ path: '--set', message: 'is required: --set Field=Value' }])
  const ids = words.filter((word) => !word.includes('='))
  return { ...typed, itemIds: [...new Set(ids)], updates: Object.fromEntries(pairs.map(pairOf)) }
}

function pairOf(pair: string): [string, string] {
  const equals = pair.indexOf('=')
  if (equals < 1) throw refusal([{ path: '--set', message: `"${pair}" is not of the form Field=Value` }])
  return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()]
}

function confirmation(input: Record<string, unknown>): string | null {
  const ids = input['itemIds'] as number[]
  if (input['dryRun'] === true || ids.length < 2) return null
  const fields = Object.entries((input['updates'] ?? {}) as Record<string, unknown>).map(
    ([field, value]) => `${field}=${value}`,
  )
  return `Set ${fields.join(', ')} on ${ids.length} work items?`
}
