import { limits } from '../limits'

/** A formatting element; the second group is there where its attributes have plain forms, so that equal text is an equal tag. */
const FORMATTING =
  /<(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?![a-z0-9:-])((?:\s+[\w:-]+(?:=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=`]+))?)*\s*\/?>)?/gi

/** What may close a formatting element that stays open: the end of another element, or the start of a block. */
const CLOSING = /<(?:\/[a-z]|(?!(?:b|big|code|em|font|i|s|small|strike|strong|tt|u|a|span|br|img|o:p)[\s/>])[a-z])/gi

/** The parser keeps at most three equal formatting elements open. */
const MAX_EQUAL = 3

/**
 * Whether parsing could multiply the text: the standard makes formatting elements that were left open again in every further
 * paragraph, so some kilobytes can become millions of elements. An estimate from above, over the text and not its meaning:
 * every formatting element is taken for open to the end. (An `a` ends the one before it.)
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
