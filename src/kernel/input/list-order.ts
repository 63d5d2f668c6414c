export type OrderValue = string | number | null

/**
 * The order of the entries of a list. A page continues after the entries of the previous page even if entries were added, changed or
 * removed meanwhile.
 */
export interface ListOrder<Entry = any> {
  /** Set if the input decides the order: a cursor of one order is rejected for another. */
  name?: string
  /** Identifies an entry for as long as it exists. */
  id(entry: Entry): string | number
  /**
   * What the list is ordered by. Entries may share a key: a cursor remembers which of them were returned, so their order may change
   * between two pages. If absent, all entries have the same key.
   */
  key?(entry: Entry): readonly OrderValue[]
  /** Compares two keys; by default value by value, ascending. */
  compare?(a: readonly OrderValue[], b: readonly OrderValue[]): number
}

/** A part of an ordered list: at most `count` entries, from the first one with the key `from`, or from the start of the list. */
export interface ListWindow {
  from: readonly OrderValue[] | null
  count: number
}

/** The order of a list whose entries are sorted by their ID. */
export const orderedById: ListOrder<{ id: string | number }> = { id: ({ id }) => id, key: ({ id }) => [id] }

/** Null first, then numbers, then texts as both databases order them: by the bytes of their UTF-8. */
export function compareValues(a: OrderValue, b: OrderValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return rankOf(a) - rankOf(b)
}

/** Only pairs of surrogates have another order in JavaScript. */
function compareTexts(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : a > b ? 1 : 0
}

const SURROGATE = /[\ud800-\udfff]/

function rankOf(value: OrderValue): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2
}

export function compareKeys(a: readonly OrderValue[], b: readonly OrderValue[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const compared = compareValues(a[i] ?? null, b[i] ?? null)
    if (compared !== 0) return compared
  }
  return 0
}

/** The order of what was created at some time: the newest first, and by ID at the same time. */
export const newestFirst: ListOrder<{ id: string; createdAt: string }> = {
  id: ({ id }) => id,
  key: ({ createdAt, id }) => [createdAt, id],
  compare: ([createdA = null, idA = null], [createdB = null, idB = null]) =>
    compareValues(createdB, createdA) || compareValues(idA, idB),
}
