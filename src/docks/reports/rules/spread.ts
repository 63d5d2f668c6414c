/** Nearest ranks of a set of values; null if it is empty. */
export interface Spread {
  count: number
  median: number | null
  p90: number | null
  max: number | null
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null
  return { count: sorted.length, median: rank(0.5), p90: rank(0.9), max: sorted.at(-1) ?? null }
}

export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
