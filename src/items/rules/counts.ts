/** How many entries have each key, by key. */
export function countBy<T>(entries: readonly T[], keyOf: (entry: T) => string): Record<string, number> {
  const counts = new Map<string, number>()
  for (const entry of entries) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
