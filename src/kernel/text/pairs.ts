/**
 * The values of `name=value` texts by their names; an empty value is null. Null if a text is no such pair. It uses no regular expression,
 * because the texts may be long.
 */
export function parsePairs(texts: readonly string[]): Record<string, string | null> | null {
  const pairs: [name: string, value: string | null][] = []
  for (const text of texts) {
    const at = text.indexOf('=')
    const name = text.slice(0, Math.max(at, 0)).trim()
    if (name === '') return null
    pairs.push([name, text.slice(at + 1).trim() || null])
  }
  return Object.fromEntries(pairs)
}
