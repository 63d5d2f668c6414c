import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

export type MarkdownNode = Nodes

export function markdownTree(markdown: string): MarkdownNode {
  return unified().use(remarkParse).use(remarkGfm).parse(markdown)
}

/** Nobody nests deeper by hand: what does stands as plain text. */
export const MAX_DEPTH = 100

/** The text of a node and all below it, without its markup. */
export function plainText(node: MarkdownNode): string {
  let text = ''
  const waiting: MarkdownNode[] = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ('value' in next) text += next.value
    else if (next.type === 'break') text += '\n'
    else if (next.type === 'image' || next.type === 'imageReference') text += next.alt ?? ''
    else if ('children' in next) waiting.push(...[...next.children].reverse())
  }
  return text
}
