import { compareValues, type ListOrder, type OrderValue } from '../../kernel'
import type { Draft } from '../schemas'

export const DRAFT_SORTS = [
  'updated',
  'created',
  'title',
  'points',
  '-updated',
  '-created',
  '-title',
  '-points',
] as const
export type DraftSort = (typeof DRAFT_SORTS)[number]

/** Titles are compared by their beginning, because the cursor of a page contains it and must fit into a URL. */
const MAX_ORDERED_TITLE = 200

interface DraftOrder {
  value(draft: OrderedDraft): string | number
  compare(a: OrderValue, b: OrderValue): number
}

/** What orders a draft. */
export type OrderedDraft = Pick<Draft, 'id' | 'title' | 'storyPoints' | 'createdAt' | 'updatedAt'>

const descending = (a: OrderValue, b: OrderValue) => compareValues(b, a)

const ORDERS: Record<string, DraftOrder> = {
  updated: { value: ({ updatedAt }) => updatedAt, compare: descending },
  created: { value: ({ createdAt }) => createdAt, compare: descending },
  title: {
    value: ({ title }) => title.slice(0, MAX_ORDERED_TITLE),
    compare: (a, b) => String(a).localeCompare(String(b), 'en', { sensitivity: 'base', numeric: true }),
  },
  points: { value: ({ storyPoints }) => storyPoints ?? -1, compare: descending },
}

/** Equal drafts are listed newest first, in either direction. */
export function createDraftOrder(sort: DraftSort) {
  const direction = sort.startsWith('-') ? -1 : 1
  const { value, compare } = ORDERS[sort.replace('-', '')]!
  return {
    name: sort,
    id: ({ id }) => id,
    key: (draft) => [value(draft), draft.id],
    compare: ([valueA = null, idA = null], [valueB = null, idB = null]) =>
      direction * compare(valueA, valueB) || descending(idA, idB),
  } satisfies ListOrder<OrderedDraft>
}

export function sortDrafts<Sorted extends OrderedDraft>(drafts: readonly Sorted[], sort: DraftSort): Sorted[] {
  const { key, compare } = createDraftOrder(sort)
  const keyed = drafts.map((draft) => ({ draft, key: key(draft) }))
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ draft }) => draft)
}
