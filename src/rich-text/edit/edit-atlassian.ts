import { adfToMarkdown, type AdfNode } from '../rules/adf-to-markdown'
import { parseMarkdown } from '../../sanitize'
import { AdfSource } from './adf-source'
import { type EditedSource, editSource } from './edit-source'
import { wikiFormat } from './wiki-source'

type Document = { version: 1; type: 'doc'; content: AdfNode[] }

/** Makes an edit of the Markdown that shows a document of Atlassian in the document. */
export function editAdf(document: unknown, after: string): Omit<EditedSource, 'source'> & { document: Document } {
  const adf = new AdfSource(document)
  const edit = { before: parseMarkdown(adfToMarkdown(document)), after: parseMarkdown(after) }
  const { source, ...rest } = editSource({ source: adf.text, format: adf.format, ...edit }, { force: true })
  return { document: adf.parse(source), ...rest }
}

/** The same for wiki markup. */
export function editWiki(wiki: string, before: string, after: string): EditedSource {
  const edit = { before: parseMarkdown(before), after: parseMarkdown(after) }
  return editSource({ source: wiki, format: wikiFormat, ...edit }, { force: true })
}
