/** Converts texts as Jira stores them to Markdown and back. */
export interface AtlassianTexts {
  toMarkdown(stored: unknown): string
  /** The form that is sent. What the text has in common with `before` is sent as it is stored there. */
  fromMarkdown(markdown: string, before?: unknown): unknown
}

/** Loads what converts texts when the first one is read, because it is large: for the document format of Cloud, or for wiki markup. */
export async function loadAtlassianTexts(format: 'document' | 'wiki'): Promise<AtlassianTexts> {
  if (format === 'document') {
    const [{ adfToMarkdown, markdownToAdf }, { editAdf }] = await Promise.all([
      import('./index'),
      import('./edit/edit-atlassian'),
    ])
    return {
      toMarkdown: (stored) => adfToMarkdown(stored),
      fromMarkdown(markdown, before) {
        if (markdown.trim() === '') return null
        return before ? editAdf(before, markdown) : markdownToAdf(markdown)
      },
    }
  }
  const [{ markdownToWiki, wikiToMarkdown }, { parseWiki }, { editWiki }] = await Promise.all([
    import('./index'),
    import('./parse-wiki'),
    import('./edit/edit-atlassian'),
  ])
  const toMarkdown = (stored: unknown) => (typeof stored === 'string' ? wikiToMarkdown(stored, parseWiki) : '')
  return {
    toMarkdown,
    fromMarkdown: (markdown, before) =>
      typeof before === 'string' && before.trim() !== '' && markdown.trim() !== ''
        ? editWiki(before, markdown, toMarkdown)
        : markdownToWiki(markdown),
  }
}
