/**
 * Limits on what is parsed as markup. They are far above what people write, and bound time and memory for malicious text. Content
 * beyond a limit remains as text, and the removals report it (`too-deep`, `too-large`).
 */
export const limits = {
  /** Characters of HTML. Most of a long source is unnecessary markup. A long text of the tracker has at most about a million. */
  htmlCharacters: 512 * 1024,
  /** Characters of Markdown. Reading, cleaning and writing take up to 20 µs for each. */
  markdownCharacters: 128 * 1024,
  /** Elements that parsing may add, because each paragraph repeats formatting elements that were left open before it. */
  repeatedFormatting: 250_000,
  /** Levels of HTML elements, and of blocks of Markdown, that a parser accepts. */
  parsedLevels: 1_000,
  /** Levels of HTML elements that are kept as elements. */
  elementLevels: 100,
  /** Levels of lists and quotes. */
  blockLevels: 20,
  /** Levels of emphasis and links in one paragraph. */
  inlineLevels: 6,
  /** Cells of a table, including those that pad short rows. */
  tableCells: 20_000,
  /** List and quote markers at the start of one line of Markdown. */
  containerMarks: 40,
} as const
