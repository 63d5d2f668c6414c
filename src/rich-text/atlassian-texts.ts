import type { StoredEdit } from './edit/edit-atlassian'

export type { StoredEdit }

/** Converts texts as Jira stores them to Markdown and back. */
export interface AtlassianTexts {
  toMarkdown(stored: unknown): string
  /** The form that is sent. */
  fromMarkdown(markdown: string): unknown
  /** Makes an edit of the Markdown that shows a stored text in that text. */
  edit(stored: unknown, markdown: string): StoredEdit<unknown>
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
      fromMarkdown: (markdown) => (markdown.trim() === '' ? null : markdownToAdf(markdown)),
      edit: editAdf,
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
    fromMarkdown: markdownToWiki,
    edit: (stored, markdown) => editWiki(String(stored), markdown, toMarkdown),
  }
}
