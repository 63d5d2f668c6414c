import { limits } from '../limits'

/**
 * Matches a formatting element. The second group exists only if its attributes have a simple form, so that equal text means an
 * equal tag.
 */
const FORMATTING =
  /<(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?![a-z0-9:-])((?:\s+[\w:-]+(?:=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=`]+))?)*\s*\/?>)?/gi

/** Matches what may close an open formatting element: the end of another element, or the start of a block. */
const CLOSING = /<(?:\/[a-z]|(?!(?:b|big|code|em|font|i|s|small|strike|strong|tt|u|a|span|br|img|o:p)[\s/>])[a-z])/gi

/** The parser keeps at most three equal formatting elements open. */
const MAX_EQUAL = 3

/**
 * Returns whether parsing could multiply the text. The standard reopens unclosed formatting elements in every later paragraph, so a
 * few kilobytes can become millions of elements. The result is an upper bound from the text alone: it treats every formatting
 * element as open to the end, except that an `a` closes the one before it.
 */
export function isHostile(html: string): boolean {
  const equal = new Map<string, number>()
  let open = 0
  for (const [tag, rest] of html.matchAll(FORMATTING)) {
    const seen = rest === undefined ? 0 : (equal.get(tag) ?? 0)
    if (rest !== undefined) equal.set(tag, seen + 1)
    if (seen < MAX_EQUAL) open++
  }
  const closings = html.match(CLOSING)?.length ?? 0
  return open * closings > limits.repeatedFormatting
}
