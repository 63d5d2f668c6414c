/** A field to sort by. */
export interface SortKey {
  field: string
  descending: boolean
}

/** Reads `state,-changedAt`: the fields to sort by, the most important first. A leading dash reverses the order of a field. */
export function parseSortKeys(text: string): SortKey[] {
  return text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map((key) => ({ field: key.replace(/^-/, '').trim(), descending: key.startsWith('-') }))
}

/** Compares the values of the sort keys, the first difference decides. */
export function compareSortValues(keys: readonly SortKey[], a: readonly unknown[], b: readonly unknown[]): number {
  for (const [i, { descending }] of keys.entries()) {
    const compared = compareForReaders(a[i], b[i])
    if (compared !== 0) return descending ? -compared : compared
  }
  return 0
}

/** Created with the first comparison, because that takes milliseconds. */
let collator: Intl.Collator | undefined

/** Absent values last in ascending order, numbers before texts, and texts as a reader orders them. */
function compareForReaders(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  // Trackers may have fields of one name and of different kinds. As texts, numbers would have another order than among themselves.
  if (typeof a === 'number' || typeof b === 'number')
    return Number(typeof b === 'number') - Number(typeof a === 'number')
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator.compare(String(a), String(b))
}
