import { deepFreeze } from '../rules/weak-memo'

const MAX_ROWS = 10_000

/**
 * Converts a row once, and returns the same object as long as no column changes. The object is frozen because callers share it. That
 * also lets a WeakMemo cache values that are derived from it.
 */
export function memoizeByRow<Row extends { id: string }, Made>(make: (row: Row) => Made): (row: Row) => Made {
  const cache = new Map<string, { row: Row; made: Made }>()
  return (row) => {
    const known = cache.get(row.id)
    if (known && isSame(known.row, row)) return known.made
    if (cache.size >= MAX_ROWS) cache.clear()
    const made = deepFreeze(make(row))
    cache.set(row.id, { row, made })
    return made
  }
}

function isSame<Row extends object>(a: Row, b: Row): boolean {
  for (const column in a) if (a[column] !== b[column]) return false
  return true
}
