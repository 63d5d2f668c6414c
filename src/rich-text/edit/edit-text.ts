import type { Root } from 'mdast'
import { readMarkdown } from '../rules/markdown/read'
import type { PersonIdentity } from '../rules/mentions'
import { type EditedSource, editSource } from './edit-source'
import { createHtmlFormat } from './html-format'
import { markdownFormat } from './markdown-source'
import { listLeaves } from './tokens'

export type { EditedSource }

export interface StoredTextEdit {
  format: 'html' | 'markdown'
  /** The text as the tracker stores it. */
  source: string
  /** The Markdown that was shown for it; parts may have been removed. */
  before: string
  /** What a person made of that. */
  after: string
  /** Whose names become mentions in new text. */
  people?: readonly PersonIdentity[]
}

/** Makes an edit of the Markdown that shows a stored text in that text. */
export function editStoredText(
  { format, source, before, after, people = [] }: StoredTextEdit,
  options?: { force: boolean },
): EditedSource {
  if (before === after) return { source, undecided: [], losses: [] }
  const edit = { before: readMarkdown(before), after: readMarkdown(after) }
  return editSource({ source, format: format === 'html' ? createHtmlFormat(people) : markdownFormat, ...edit }, options)
}

/** Whether two documents show the same words in the same blocks. */
export function showsSame(a: Root, b: Root): boolean {
  const describe = (root: Root) =>
    JSON.stringify(listLeaves(root).map(({ kind, tokens }) => [kind, tokens.map(({ key }) => key)]))
  return describe(a) === describe(b)
}
