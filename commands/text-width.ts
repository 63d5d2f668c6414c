import stringWidth from 'string-width'

/**
 * Columns that a text takes on a terminal. Characters of Western prose take one column each, so `string-width`, which compiles
 * patterns over all of Unicode when it is first called, is left to the others: a start of the program mostly does without it.
 */
export function textWidth(text: string): number {
  return ONE_COLUMN_EACH.test(text) ? text.length : stringWidth(text)
}

/** Printable ASCII, Latin letters and signs without the soft hyphen, dashes, quotation marks, bullets, the ellipsis and arrows. */
const ONE_COLUMN_EACH = /^[\x20-\x7e\xa0-\xac\xae-\u024f\u2010-\u2027\u2190-\u2193]*$/
