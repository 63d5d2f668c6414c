import { htmlToMarkdown } from '../rules/html-to-markdown'
import { readMarkdown } from '../rules/markdown/read'
import type { PersonIdentity } from '../rules/mentions'
import { type EditedSource, editSource } from './edit-source'
import { createHtmlFormat } from './html-format'
import { markdownFormat } from './markdown-source'
import { compareReadBack } from './read-back'

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
  const shown = { before: readMarkdown(before), after: readMarkdown(after) }
  const own = format === 'html' ? createHtmlFormat(people) : markdownFormat
  const edited = editSource({ source, format: own, ...shown }, options)
  if (edited.undecided.length > 0 || edited.isRewritten) return edited
  const read = (text: string) => readMarkdown(format === 'html' ? htmlToMarkdown(text) : text)
  const { undecided, losses } = compareReadBack({ source: read(source), result: read(edited.source), ...shown })
  return { ...edited, undecided, losses: [...new Set([...edited.losses, ...losses])] }
}
