import type { Root } from 'mdast'
import type { Debris } from '../../model'
import { normalize } from '../tree/blocks'
import { isHostile } from './hostile'
import { replaceHtml } from './raw-html'
import { parseMarkdownTree } from './tree'

/**
 * Reads Markdown as a document, with raw HTML parsed and references resolved. Text that is nested too deeply to be parsed becomes one
 * code block.
 */
export function readMarkdown(markdown: string): Root {
  const root = parseMarkdown(markdown)
  const debris: Debris[] = []
  replaceHtml(root, debris)
  return normalize([...root.children, ...debris])
}

/** Parses Markdown for callers that show it as it is written, with its raw HTML. */
export function parseMarkdown(markdown: string): Root {
  if (!isHostile(markdown)) {
    try {
      return parseMarkdownTree(markdown)
    } catch (error) {
      // The blocks are nested too deeply.
      if (!(error instanceof RangeError)) throw error
    }
  }
  return { type: 'root', children: [{ type: 'code', value: markdown }] }
}
