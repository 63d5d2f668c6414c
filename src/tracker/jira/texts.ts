import type { Deployment } from './jira-client'

/** Converts the texts of a deployment to Markdown and back. */
export interface Texts {
  toMarkdown(stored: unknown): string
  /** The form that is sent. Blocks of `before` that the text still has are sent as they are. */
  fromMarkdown(markdown: string, before?: unknown): unknown
}

/** Loads what converts texts when the first one is read, because it is large. */
export async function loadTexts(deployment: Deployment): Promise<Texts> {
  if (deployment === 'cloud') {
    const { adfToMarkdown, markdownToAdf } = await import('../../rich-text')
    return {
      toMarkdown: (stored) => adfToMarkdown(stored),
      fromMarkdown: (markdown, before) => (markdown.trim() === '' ? null : markdownToAdf(markdown, before)),
    }
  }
  const [{ markdownToWiki, wikiToMarkdown }, { parseWiki }] = await Promise.all([
    import('../../rich-text'),
    import('./parse-wiki'),
  ])
  return {
    toMarkdown: (stored) => (typeof stored === 'string' ? wikiToMarkdown(stored, parseWiki) : ''),
    fromMarkdown: (markdown) => markdownToWiki(markdown),
  }
}
