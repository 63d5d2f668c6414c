import { normalizeText } from './normalize-text'

/** The maximum number of compared values. More would take longer than what the suggestion is for. */
const MAX_COMPARED_VALUES = 5_000
const MAX_COMPARED_LENGTH = 100

/** The value with the fewest edits, or one that contains the text. Case and accents are ignored. */
export function findNearest(text: string, known: readonly string[], mostEdits: number): string | null {
  const wanted = normalizeText(text).slice(0, MAX_COMPARED_LENGTH)
  const most = Math.min(mostEdits, Math.floor(wanted.length / 3))
  let [best, edits] = [null as string | null, most + 1]
  for (const value of known.slice(0, MAX_COMPARED_VALUES)) {
    const other = normalizeText(value).slice(0, MAX_COMPARED_LENGTH)
    const distance = editDistance(wanted, other, edits)
    if (distance < edits) [best, edits] = [value, distance]
  }
  return best ?? known.find((value) => wanted.length >= 3 && normalizeText(value).includes(wanted)) ?? null
}

/**
 * The minimum number of insertions, deletions, substitutions and swaps of adjacent letters (optimal string alignment distance)
 * that turns one word into the other; `limit + 1` for any number above the limit.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const changed = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let edits = Math.min(changed, last[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      }
      row.push(edits)
      if (edits < least) least = edits
    }
    if (least > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return Math.min(last[b.length]!, limit + 1)
}
