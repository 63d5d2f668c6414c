import type { Root } from 'mdast'
import { parseMarkdown } from '../../sanitize'
import { type EditedSource, editSource } from './edit-source'
import { htmlFormat } from './formats'
import { markdownFormat } from './markdown-source'
import type { SourceFormat } from './source'
import { listLeaves } from './tokens'

export interface StoredTextEdit {
  format: 'html' | 'markdown'
  /** The text as the tracker stores it. */
  source: string
  /** The Markdown that was shown for it; parts may have been removed. */
  before: string
  /** What a person made of that. */
  after: string
}

/** Makes an edit of the Markdown that shows a stored text in that text. */
export function editStoredText({ format, source, before, after }: StoredTextEdit, options?: { force: boolean }): EditedSource {
  if (before === after) return { source, undecided: [], losses: [] }
  const edit = { before: parseMarkdown(before), after: parseMarkdown(after) }
  return editSource({ source, format: format === 'html' ? htmlFormat : markdownFormat, ...edit }, options)
}

/** Whether two documents show the same words in the same blocks. */
export function showsSame(a: Root, b: Root): boolean {
  const describe = (root: Root) => listLeaves(root).map(({ kind, tokens }) => [kind, ...tokens.map(({ key }) => key)].join('\u0000'))
  return describe(a).join('\u0001') === describe(b).join('\u0001')
}

export type { SourceFormat }
