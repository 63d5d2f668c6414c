import { isInline, type Patch, type Run, type ShownSource } from './shown-source'
import { isWord, splitText } from './tokens'

/** Tags, and the backslashes before signs, are no words. */
const MARKUP = /<[^<>]*>|\\(?=[!-/:-@[-`{-~])/g

/**
 * The words that are deleted from the source and written anew, but without the colour, size or other style that their element there has.
 * A document does not show such styles, so reading the result back does not find that they are missing.
 */
export function findLostStyles(shown: ShownSource, patches: readonly Patch[]): string[] {
  const written = new Set(
    patches.flatMap(({ text }) =>
      splitText(text.replace(MARKUP, ' ')).flatMap((piece) => (isWord(piece) ? [piece.key] : [])),
    ),
  )
  const lost: string[] = []
  for (const patch of mergeRanges(patches)) {
    const { start, end } = shown.tokensIn(patch)
    for (const { key, place: own } of shown.tokens.slice(start, end)) {
      if (!written.has(key)) continue
      for (let place = own; place && isInline(place); place = place.parent) {
        if (place.start < patch.start || place.end > patch.end) break
        if (!place.isStyled) continue
        lost.push(key)
        break
      }
    }
  }
  return lost
}

/** Each part of the source once: the deletions of the rows of a table are all as wide as the table if all of them are deleted. */
function mergeRanges(patches: readonly Run[]): Run[] {
  const merged: Run[] = []
  for (const { start, end } of patches.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last && start < last.end) last.end = Math.max(last.end, end)
    else if (start < end) merged.push({ start, end })
  }
  return merged
}
