import { type AdfNode, adfToMarkdown } from '../rules/adf-to-markdown'
import { readMarkdown } from '../rules/markdown/read'
import { markdownToAdf } from '../rules/markdown-to-adf'
import { markdownToWiki } from '../rules/wiki-markup'
import { AdfSource } from './adf-source'
import { editSource } from './edit-source'
import { showsSame } from './edit-text'
import { wikiFormat } from './wiki-source'

/** Makes an edit of the Markdown that shows a document of Atlassian in the document. */
export function editAdf(document: unknown, after: string): { version: 1; type: 'doc'; content: AdfNode[] } {
  try {
    const adf = new AdfSource(document)
    const edit = { before: readMarkdown(adfToMarkdown(document)), after: readMarkdown(after) }
    const edited = adf.parse(editSource({ source: adf.text, format: adf.format, ...edit }, { force: true }).source)
    if (showsSame(readMarkdown(adfToMarkdown(edited)), edit.after)) return edited
  } catch (error) {
    // Nodes in nodes of thousands of levels exhaust the stack.
    if (!(error instanceof RangeError)) throw error
  }
  return markdownToAdf(after, document)
}

/**
 * The same for wiki markup. An edit that cannot be placed there is written as a new text.
 * @param show converts wiki markup to Markdown
 */
export function editWiki(wiki: string, after: string, show: (wiki: string) => string): string {
  const edit = { before: readMarkdown(show(wiki)), after: readMarkdown(after) }
  const { source } = editSource({ source: wiki, format: wikiFormat, ...edit }, { force: true })
  return showsSame(readMarkdown(show(source)), edit.after) ? source : markdownToWiki(after)
}
