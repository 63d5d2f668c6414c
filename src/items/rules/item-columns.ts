import type { ListOrder, OrderValue } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { sortInSteps } from '../../kernel/work/sort-in-steps'
import { compareSortValues, parseSortKeys, type SortKey } from '../../kernel/work/sort-keys'
import { WorkItem } from '../schemas'
import { normalizeName } from './update-fields'

/** A field that every work item has. */
export type ItemColumn = Exclude<keyof WorkItem, 'customFields'>

export const ITEM_COLUMNS = Object.keys(WorkItem.shape).filter((name) => name !== 'customFields') as ItemColumn[]

export function isItemColumn(name: string): name is ItemColumn {
  return (ITEM_COLUMNS as readonly string[]).includes(name)
}

/** What a list shows unless columns are chosen. */
export const DEFAULT_COLUMNS = [
  'id',
  'type',
  'state',
  'storyPoints',
  'assignedTo',
  'title',
  'blocked',
] as const satisfies readonly ItemColumn[]

const ALIASES: Record<string, ItemColumn> = {
  points: 'storyPoints',
  assignee: 'assignedTo',
  area: 'areaPath',
  iteration: 'iterationPath',
  sprint: 'iterationPath',
  parent: 'parentId',
  changed: 'changedAt',
  category: 'stateCategory',
}

/** The field of a work item that a name means, in any case: `assignedTo`, `assigned-to`, `points`; null if there is none. */
export function findColumn(name: string): ItemColumn | null {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '')
  if (Object.hasOwn(ALIASES, plain)) return ALIASES[plain]!
  return ITEM_COLUMNS.find((column) => equalsIgnoringCase(column, plain)) ?? null
}

/** The value to show and to sort by; null if there is none. */
export function readColumn(item: WorkItem, column: ItemColumn): string | number | null {
  const value = item[column]
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (column === 'blocked') return item.blocked.length === 0 ? null : 'blocked'
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ')
  return 'displayName' in value ? value.displayName : (value as { name: string }).name
}

/** What is wrong with a name, with the names that are always right. */
export function addColumnsOfAllItems(problem: string): string {
  return `${problem}${/[?…]$/.test(problem) ? '' : '.'} Every work item has ${ITEM_COLUMNS.join(', ')}`
}

export function listSortFields(sort: string): string[] {
  return parseSortKeys(sort).map(({ field }) => field)
}

/** Texts are compared by their beginning, because the cursor of a page contains it and must fit into a URL. */
const MAX_COMPARED_LENGTH = 100

/** The order of a list of items; items that are equal in it are ordered by ID. Items have the fields of the tracker that it names. */
export function createItemOrder(sort: string) {
  const keys: SortKey[] = parseSortKeys(sort).map((key) => ({ ...key, field: findColumn(key.field) ?? key.field }))
  const readKey = (item: WorkItem, field: string): OrderValue => {
    const value = isItemColumn(field) ? readColumn(item, field) : readFurtherField(item, field)
    return typeof value === 'string' ? value.slice(0, MAX_COMPARED_LENGTH) : value
  }
  return {
    name: keys.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join(','),
    id: ({ id }) => id,
    key: (item) => [...keys.map(({ field }) => readKey(item, field)), item.id],
    compare: (a, b) => compareSortValues(keys, a, b) || Number(a.at(-1)) - Number(b.at(-1)),
  } satisfies ListOrder<WorkItem>
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}\S{0,20})?$/

/** Trackers write the same time in several ways, which are compared in one. */
function readFurtherField({ customFields = {} }: WorkItem, name: string): OrderValue {
  const plain = normalizeName(name)
  const [, value = null] = Object.entries(customFields).find(([one]) => normalizeName(one) === plain) ?? []
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || !INSTANT.test(value)) return value
  const time = Date.parse(value)
  return Number.isNaN(time) ? value : new Date(time).toISOString()
}

/** Sorts tens of thousands of items in steps. */
export function* sortItems(items: readonly WorkItem[], sort: string): Generator<void, WorkItem[]> {
  const { key, compare } = createItemOrder(sort)
  const keyed: { item: WorkItem; key: OrderValue[] }[] = []
  for (const item of items) {
    keyed.push({ item, key: key(item) })
    yield
  }
  const sorted = yield* sortInSteps(keyed, (a, b) => compare(a.key, b.key))
  return sorted.map(({ item }) => item)
}
