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

const orders: Record<string, (a: Draft, b: Draft) => number> = {
  updated: (a, b) => compare(b.updatedAt, a.updatedAt),
  created: (a, b) => compare(b.createdAt, a.createdAt),
  title: (a, b) => a.title.localeCompare(b.title, 'en', { sensitivity: 'base', numeric: true }),
  points: (a, b) => compare(b.storyPoints ?? -1, a.storyPoints ?? -1),
}

/** Ties go to the newer draft, in either direction. */
export function sortDrafts(drafts: readonly Draft[], sort: DraftSort): Draft[] {
  const direction = sort.startsWith('-') ? -1 : 1
  const order = orders[sort.replace('-', '')]!
  return [...drafts].sort((a, b) => direction * order(a, b) || b.id - a.id)
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
