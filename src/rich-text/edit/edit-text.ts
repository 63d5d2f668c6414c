import { readMarkdown } from '../rules/markdown/read'
import type { PersonIdentity } from '../rules/mentions'
import { type EditedSource, editSource } from './edit-source'
import { createHtmlFormat } from './html-format'
import { markdownFormat } from './markdown-source'

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
