import type { Root } from 'mdast'
import type { Debris } from '../../model'
import { isHostile } from './hostile'
import { replaceHtml } from './raw-html'
import { parseMarkdownTree } from './tree'

/** Reads Markdown as a tree, with raw HTML parsed, references resolved and bare addresses as text. */
export function readMarkdown(markdown: string): Root {
  const root = parseMarkdownTree(markdown)
  const debris: Debris[] = []
  replaceHtml(root, debris)
  root.children.push(...debris)
  return root
}

/** Parses Markdown for callers that render it. Text that is nested too deeply to be parsed becomes one code block. */
export function parseMarkdown(markdown: string): Root {
  return isHostile(markdown)
    ? { type: 'root', children: [{ type: 'code', value: markdown }] }
    : parseMarkdownTree(markdown)
}
