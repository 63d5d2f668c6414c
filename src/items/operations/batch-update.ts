import * as z from 'zod'
import { compute, operation } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { TrackerItem } from '../../tracker'
import { itemTasks } from '../rules/tasks'
import { createUpdateError, type GivenFields, parseFieldPairs, separateParent } from '../rules/update-fields'
import { askAfterPreview, createUpdateResults } from '../rules/update-plan'
import { ItemId, UpdateResults } from '../schemas'
import { givenFieldsInput, setFlag } from '../services/create/given-fields-input'
import { nameItems } from '../services/name-items'
import { groupByTracker, openTrackerLink, type TrackerGroup } from '../services/tracker-link'
import { applyUpdates, type UpdateRequest } from '../services/update/apply-updates'
import { checkLinks } from '../services/update/check-links'
import { checkValues, resolveFields } from '../services/update/check-updates'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

export const batchUpdate = operation({
  id: 'items.batch-update',
  summary: 'Change fields of many work items in the tracker',
  description:
    'Write the name of a field in any form: state, State, System.State, "Assigned To". All values are checked against the process before anything is sent, and an item is updated only if its revision is still the expected one. If another user changed an item since its snapshot, both changes are merged by field; if both changed the same field, the item is a conflict and is not sent. An empty value clears a field. The field Parent moves the items below the work item with that ID. Long texts are given in Markdown and converted to HTML where the item stores HTML.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  isExpensive: true,
  input: z.strictObject({
    itemIds: z.array(ItemId).min(1).max(1000).describe('Work item IDs'),
    ...givenFieldsInput,
    dryRun: z.boolean().default(false).describe('Send nothing; show the changes of each item'),
  }),
  output: UpdateResults,
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
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
      setFlag,
      {
        flag: '--query <query>',
        about: 'Update the cached items that a search finds, such as state:Active iteration:"Sprint 24"',
        standsFor: ['itemIds'],
      },
      { flag: '--filter <name>', about: 'Update the cached items that a saved filter or view finds' },
    ],
    toInput: parseArguments,
    confirm: (input) => askConfirmation(input),
    confirmDryRun: askAfterPreview,
    examples: [
      'studio batch-update 343 344 --set State=Active --dry-run',
      'studio batch-update 343 344 --set State=Active --set "Iteration=Sprint 24" --yes',
      'echo 343 344 | studio batch-update - --set Priority=1 --yes',
      `studio batch-update --query 'state:New type:task' --set Priority=3 --dry-run`,
    ],
    seeAlso: ['item list', 'search', 'view save', 'item metadata', 'item get'],
  },
  isPartial: (answer) => !answer.dryRun && answer.applied < answer.requested,
  async run(ctx: TrackerWorkspaceContext, { itemIds, updates, fields, dryRun }) {
    const ids = [...new Set(itemIds)]
    // The items of all trackers are checked before the first change is sent.
    const plans: Plan[] = []
    for (const group of await groupByTracker(ctx, ids)) plans.push(await checkGroup(ctx, group, { updates, fields }))
    const results = await applyUpdates(ctx, plans, { dryRun })
    const byId = new Map(results.map((result) => [result.id, result]))
    const linked = plans.flatMap((plan) => plan.linked)
    const nameOf = await nameItems(ctx, [...ids, ...linked.map(({ id }) => id)])
    return createUpdateResults(
      ids.map((id) => byId.get(id)!),
      linked,
      { dryRun, nameOf },
    )
  },
})

/** The checked changes of the items of one tracker. */
interface Plan extends UpdateRequest {
  /** The items at the other ends of changed links. */
  linked: TrackerItem[]
}

async function checkGroup(ctx: TrackerWorkspaceContext, { ids }: TrackerGroup, all: GivenFields): Promise<Plan> {
  const { links, given } = separateParent(all)
  const link = await openTrackerLink(ctx, { ids: links?.parentId ? [...ids, links.parentId] : ids })
  const isParentOnly = links !== null && Object.keys({ ...given.fields, ...given.updates }).length === 0
  const resolved = isParentOnly ? null : await resolveFields(ctx, link.tracker, given)
  const at = formatInstant(ctx.clock.now())
  const { items, missing } = await link.tracker.getItems(ids, {
    signal: ctx.signal,
    onProgress: (done, total) => ctx.progress({ label: 'reading work items', done, total }),
  })
  const linked = links ? await checkLinks(ctx, link.tracker, [{ items, links }]) : []
  const fields = resolved
    ? await compute(ctx, itemTasks.addHtml, await checkValues(ctx, link.tracker, { items, ...resolved }), items)
    : []
  return { link, linked, items, missing, at, fields, links }
}

/** Arguments with an equals sign are further pairs of `--set`; the others are IDs. */
function parseArguments({
  set,
  itemIds,
  query: _query,
  filter: _filter,
  ...typed
}: Record<string, unknown>): Record<string, unknown> {
  const words = (itemIds as string[] | undefined) ?? []
  const pairs = [...((set as string[] | undefined) ?? []), ...words.filter((word) => word.includes('='))]
  if (pairs.length === 0) throw createUpdateError([{ path: '--set', message: 'is required: --set Field=Value' }])
  const ids = words.filter((word) => !word.includes('='))
  return { ...typed, itemIds: [...new Set(ids)], updates: parseFieldPairs(pairs) }
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
