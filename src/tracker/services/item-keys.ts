/** The IDs by the keys from which they can be read. */
export function mapKeys(keys: readonly string[], parse: (key: string) => number | null): Map<string, number> {
  return new Map(
    keys.flatMap((key) => {
      const id = parse(key)
      return id === null ? [] : [[key, id]]
    }),
  )
}

/** The ID in `101` or `#101`; null if it is none. */
export function parseItemId(key: string): number | null {
  const match = /^#?([1-9]\d{0,14})$/.exec(key.trim())
  return match ? Number(match[1]) : null
}

/** Whether a tracker may have an item with this ID. */
export function isPossibleId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0
}

/** The IDs of items by their keys, for keys without an ID in them. `parse` returns the key as `find` knows it; null if it is none. */
export async function findKeys(
  keys: readonly string[],
  parse: (key: string) => string | null,
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, number>>,
): Promise<Map<string, number>> {
  const found = mapKeys(keys, parseItemId)
  const named = keys.flatMap((key) => {
    const name = found.has(key) ? null : parse(key)
    return name === null ? [] : [[key, name] as const]
  })
  const ids = await find(named.map(([, name]) => name))
  for (const [key, name] of named) if (ids.has(name)) found.set(key, ids.get(name)!)
  return found
}
