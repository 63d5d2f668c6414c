import type { Root } from 'mdast'
import type { Tally } from '../removal'
import { replaceHtml } from './raw-html'
import { markdownTree } from './tree'

/** The document that Markdown stands for: its raw HTML read as HTML, its references resolved, its bare addresses as text. */
export function readMarkdown(markdown: string, tally: Tally): Root {
  const root = markdownTree(markdown)
  replaceHtml(root, tally)
  return root
}
