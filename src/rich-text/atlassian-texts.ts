/** Converts texts as Jira stores them to Markdown and back. */
export interface AtlassianTexts {
  toMarkdown(stored: unknown): string
  /** The form that is sent. Blocks of `before` that the text still has are sent as they are. */
  fromMarkdown(markdown: string, before?: unknown): unknown
}

/** Loads what converts texts when the first one is read, because it is large: for the document format of Cloud, or for wiki markup. */
export async function loadAtlassianTexts(format: 'document' | 'wiki'): Promise<AtlassianTexts> {
  if (format === 'document') {
    const { adfToMarkdown, markdownToAdf } = await import('./index')
    return {
      toMarkdown: (stored) => adfToMarkdown(stored),
      fromMarkdown: (markdown, before) => (markdown.trim() === '' ? null : markdownToAdf(markdown, before)),
    }
  }
  const [{ markdownToWiki, wikiToMarkdown }, { parseWiki }] = await Promise.all([
    import('./index'),
    import('./parse-wiki'),
  ])
  return {
    toMarkdown: (stored) => (typeof stored === 'string' ? wikiToMarkdown(stored, parseWiki) : ''),
    fromMarkdown: (markdown) => markdownToWiki(markdown),
  }
}
