/**
 * Bounds on what is read as markup. They lie far above what people write, and hold time and memory where a text was made
 * to exhaust them. What is beyond stays as text, and the removals say so (`too-deep`, `too-large`).
 */
export const limits = {
  /** Characters of HTML; most of it is debris where it is much. A tracker's long text has at most about a million. */
  htmlCharacters: 512 * 1024,
  /** Characters of Markdown: reading, cleaning and writing take up to 20 µs for each. */
  markdownCharacters: 128 * 1024,
  /** Elements that parsing may add: each paragraph repeats the formatting elements that were left open before it. */
  repeatedFormatting: 250_000,
  /** Levels of HTML elements that are looked at at all. */
  parsedLevels: 1_000,
  /** Levels of HTML elements. */
  elementLevels: 100,
  /** Levels of lists and quotes. */
  blockLevels: 20,
  /** Levels of emphasis and links in one paragraph. */
  inlineLevels: 6,
  /** Cells of a table, with those that only fill a row up. */
  tableCells: 20_000,
  /** Marks of lists and quotes at the start of one line of Markdown. */
  containerMarks: 40,
} as const
