/** The bytes of text that one query reads. Other calls have to wait until it ends. */
export const MAX_PART_BYTES = 4 * 1024 * 1024

/** The list in parts of at most `size` entries. */
export function chunksOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}

/** The list in parts of at most `maxSize` together, and at most `maxCount` entries. One entry may be larger. */
export function splitBySize<T>(
  list: readonly T[],
  sizeOf: (entry: T) => number,
  maxSize: number,
  maxCount = 500,
): T[][] {
  const parts: T[][] = []
  let size = 0
  for (const entry of list) {
    const own = sizeOf(entry)
    const last = parts.at(-1)
    if (last && size + own <= maxSize && last.length < maxCount) {
      last.push(entry)
      size += own
    } else {
      parts.push([entry])
      size = own
    }
  }
  return parts
}
