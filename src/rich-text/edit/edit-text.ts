import type { Root } from 'mdast'
import { readMarkdown } from '../rules/markdown/read'
import type { PersonIdentity } from '../rules/mentions'
import { type EditedSource, editSource } from './edit-source'
import { createHtmlFormat } from './html-format'
import { markdownFormat } from './markdown-source'
import { type Leaf, listLeaves } from './tokens'

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

/**
 * Whether two documents show the same words in the same blocks. What differs in wiki markup only is the same: an image is a block of its
 * own there, and some signs of its address are encoded.
 */
export function showsSame(a: Root, b: Root): boolean {
  const describe = (root: Root) => JSON.stringify(listLeaves(root).flatMap(describeLeaf))
  return describe(a) === describe(b)
}

function describeLeaf({ kind, tokens }: Leaf): string[][] {
  const parts: string[][] = [[kind]]
  for (const { key } of tokens) {
    if (!key.startsWith('image ')) parts.at(-1)!.push(key)
    else parts.push([key.replace(/%(?:21|7[BCD])/gi, decodeURIComponent)], [kind])
  }
  return parts.length === 1 ? parts : parts.filter(([first, ...words]) => first !== kind || words.length > 0)
}
