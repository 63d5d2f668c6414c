import { isBalanced } from '../rules/markdown/balanced-tags'
import { isInline, type Patch, type Run, type ShownSource } from './shown-source'
import type { Place, SourceFormat } from './source'
import { type Leaf, type Token, toPhrasing } from './tokens'

/** A run of words that became another one. The runs count the tokens of the block. */
export interface Change {
  old: Leaf
  fresh: Leaf
  /** The number of the first token of the former block. */
  first: number
  /** Keeps a piece of the source: returns what is replaced by it when the new words are written. */
  keep: (source: string) => string
  removed: Run
  added: Run
}

/** Marks that can be put around what has marks itself. */
const WRAPPING = /^(?:strong|emphasis|delete|link:)/

/**
 * Puts marks around the source of words that were changed in nothing else, so that the source keeps what the document does not show.
 * Null if they were changed in more.
 * @param found the tokens of the source that show the words
 */
export function addMarks(
  shown: ShownSource,
  format: SourceFormat,
  { old, fresh, removed, added, keep, found }: Change & { found: readonly number[] },
): Patch | null {
  const before = old.tokens.slice(removed.start, removed.end)
  const after = fresh.tokens.slice(added.start, added.end)
  const [first] = after
  const marks = first?.marks.filter((mark) => !before[0]?.marks.includes(mark)) ?? []
  const isSame = (token: Token, index: number) => {
    const own = before[index]!
    const wanted = [...own.marks, ...marks].toSorted()
    return token.key === own.key && token.spaced === own.spaced && String(token.marks.toSorted()) === String(wanted)
  }
  if (first === undefined || before.length !== after.length || !after.every(isSame)) return null
  if (marks.length === 0 || !marks.every((mark) => WRAPPING.test(mark))) return null
  const run = { start: found[0]!, end: found.at(-1)! + 1 }
  const range = withTags(shown.source, shown.wholeRangeOf(run))
  if (!isBalanced(shown.source.slice(range.start, range.end))) return null
  const places = shown.tokens.slice(run.start, run.end).map(({ place }) => placeAround(place, range))
  const [place] = places
  if (!place || place.isHtml || places.some((other) => other !== place)) return null
  const words = {
    key: keep(shown.source.slice(range.start, range.end)),
    spaced: false,
    marks,
    title: first.title ?? null,
  }
  return { ...range, text: format.writeInline(toPhrasing([words], []), place) }
}

/** A range with the tags right before and behind it, if it has only one of a pair. */
function withTags(source: string, range: Run): Run {
  if (isBalanced(source.slice(range.start, range.end))) return range
  const before = /(?<!>)(?:<[a-z][^<>]*>)+$/i.exec(source.slice(Math.max(0, range.start - 200), range.start))?.[0] ?? ''
  const behind = /^(?:<\/[a-z]+>)*/i.exec(source.slice(range.end, range.end + 200))![0]
  return { start: range.start - before.length, end: range.end + behind.length }
}

/** The block, or the innermost element in a line, that holds more than a range. */
function placeAround(place: Place | null, { start, end }: Run): Place | null {
  let around = place
  while (around && isInline(around) && around.start >= start && around.end <= end) around = around.parent
  return around
}
