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
