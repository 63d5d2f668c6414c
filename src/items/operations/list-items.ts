import * as z from 'zod'
import { checkpoint, operation, orderedById, runInTurns } from '../../kernel'
import type { ReadTx } from '../../storage'
import { toWorkItem } from '../rules/cached-item'
import { isCurrent } from '../rules/filter-values'
import { createItemOrder, sortItems } from '../rules/item-columns'
import { toCriteria } from '../rules/item-filter'
import { type FilterCriteria, WorkItem } from '../schemas'
import { readCustomValues, requireCustomFields, requireSortFields } from '../services/custom-fields'
import { criteriaFields, criteriaNeeds, loadFilterCriteria } from '../services/filters'
import { findItemWindow, readItems } from '../services/find-items'
import { CustomFieldNames, ItemSort } from '../services/item-sort'
import type { WorkspaceContext } from '../services/workspace-context'

const repeatable = { repeatable: true } as const

const ListInput = z.strictObject({
  ...criteriaFields,
  filter: z
    .string()
    .min(1)
    .optional()
    .describe('A saved filter or view by ID or name, or "working"; other criteria override its own'),
  tracker: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only items of these trackers of the settings; the default one is "default"'),
  sort: ItemSort.optional().describe(
    'Fields to sort by: state,-changedAt; also fields of the tracker by display name, which each item then has',
  ),
  customFields: CustomFieldNames.optional().describe(
    'Further fields of the tracker to add to each item, by display name, separated by commas: Customer,Severity',
  ),
})

export const listItems = operation({
  id: 'items.list',
  summary: 'List cached work items, optionally filtered',
  description:
    'An item must pass all filters. Values separated by commas are alternatives, except for tags. Does not call the tracker; fetchedAt is the age of each item.',
  effect: 'read',
  access: 'workspace',
  isExpensive: true,
  hasLargeAnswer: true,
  input: ListInput,
  fieldNeeds: criteriaNeeds,
  output: z.array(WorkItem),
  errors: ['not_found'],
  http: {
    method: 'get',
    path: '/api/helper/items',
    // @current depends on the day, and a saved filter may contain it.
    cacheable: ({ iteration, filter }) => filter === undefined && !String(iteration).split(',').some(isCurrent),
  },
  listOrder: ({ sort }) => (sort === undefined ? orderedById : createItemOrder(sort)),
  cli: {
    command: 'item list',
    flags: {
      state: repeatable,
      assignedTo: {
        ...repeatable,
        about: 'Only items of these people, by a part of the name, or account; @me is STUDIO_USER',
      },
      type: repeatable,
      area: repeatable,
      iteration: repeatable,
      tag: repeatable,
      parent: { ...repeatable, value: 'id' },
      tracker: { value: 'name' },
      sort: { ...repeatable, value: 'fields' },
      customFields: {
        ...repeatable,
        value: 'fields',
        about: 'With --json: further fields of the tracker, by display name',
      },
    },
    extraFlags: [
      {
        flag: '--columns <fields>',
        about: 'Columns to show, separated by commas: id,type,points, also fields of the tracker by display name',
        repeatable: true,
      },
      { flag: '--view <name>', about: 'A saved view by ID or name: its filter, columns and order' },
    ],
    toInput: ({ columns: _columns, view: _view, ...input }) => input,
    examples: [
      'studio item list --state Active',
      'studio item list --state open --iteration @current --type story,bug',
      'studio item list --assigned-to tanaka --sort state,-points --columns id,state,points,title',
      'studio item list --search dock --sort -changedAt --limit 5',
      'studio item list --type story --sort -Risk --columns id,Risk,title',
    ],
    seeAlso: ['view save', 'filter save', 'filter working', 'search', 'batch-update'],
  },
  run: readAll,
  async readWindow(ctx, input, window) {
    const found = await ctx.db.read(async (tx) => {
      const criteria = await readCriteria(tx, input)
      // The order by other fields and the texts are known only of all items.
      const isWindow = input.sort === undefined && criteria.search === null && input.tracker === undefined
      return isWindow ? findItemWindow(tx, criteria, ctx, window) : null
    })
    if (found !== null)
      return { entries: await addCustomFields(ctx, found.items.map(toWorkItem), input), total: found.total }
    const entries = await readAll(ctx, input)
    return { entries, total: entries.length }
  },
})

type ListInput = z.output<typeof ListInput>

async function readAll(ctx: WorkspaceContext, input: ListInput) {
  const names = input.tracker?.split(',').map((name) => name.trim().toLowerCase())
  const shown: WorkItem[] = []
  for await (const items of readItems(ctx, (tx) => readCriteria(tx, input)))
    for (const item of items) if (names?.includes(item.tracker) ?? true) shown.push(toWorkItem(item))
  await checkpoint(ctx)
  const items = await addCustomFields(ctx, shown, input)
  return input.sort === undefined ? items : runInTurns(sortItems(items, input.sort), ctx.signal)
}

/** The items with the values of the fields that the call names or sorts by. */
async function addCustomFields(
  ctx: WorkspaceContext,
  items: readonly WorkItem[],
  { customFields: names = [], sort }: ListInput,
): Promise<WorkItem[]> {
  const values = await ctx.db.read(async (tx) => {
    const named = await requireCustomFields(
      tx,
      names.map((name) => ({ name, path: 'customFields' })),
    )
    const chosen = [...named, ...(await requireSortFields(tx, sort))]
    if (chosen.length === 0) return null
    return readCustomValues(
      tx,
      items.map(({ id }) => id),
      chosen,
    )
  })
  return values === null ? [...items] : items.map((item) => ({ ...item, customFields: values.get(item.id) ?? {} }))
}

async function readCriteria(
  tx: ReadTx,
  { filter, sort: _sort, tracker: _tracker, customFields: _fields, ...given }: ListInput,
): Promise<FilterCriteria> {
  return toCriteria(given, filter === undefined ? undefined : await loadFilterCriteria(tx, filter))
}
