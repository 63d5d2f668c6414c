/** The nearest rank: the smallest value that at least `percent` in a hundred do not exceed. `sorted` ascends and is not empty. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!
}
