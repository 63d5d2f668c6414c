/** An engine takes only so many parameters in one statement. */
export const IDS_A_STATEMENT = 500

export function* chunksOf<T>(list: readonly T[], size = IDS_A_STATEMENT): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}
