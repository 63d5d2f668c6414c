import type { Token } from 'markdown-it'
import type { PhrasingContent } from 'mdast'
import { isInlineParent, text } from '../tree/nodes'
import { readMention } from './mention'
import type { DocumentEnv } from './parser/footnote'
import { readInline } from './parser/parser'
import type { Places } from './places'

/** The limit is far above that of the clean tree, but low enough for recursive functions. */
const MAX_LEVELS = 100

/**
 * Parses the content of a paragraph, heading or cell, including its raw HTML. Emphasis and links beyond the limit are replaced by
 * their content.
 */
export function inlineNodes(
  content: string,
  env: DocumentEnv,
  { isInCell, places }: { isInCell: boolean; places?: Places | undefined },
): PhrasingContent[] {
  const result: PhrasingContent[] = []
  const open: PhrasingContent[][] = [result]
  for (const token of readInline(content, env, places !== undefined)) {
    const nodes = open.at(-1) ?? result
    if (token.nesting < 0) {
      open.pop()
      const parent = open.at(-1) ?? result
      const closed = parent.at(-1)
      if (places) places.closeInline(closed, token)
      else if (token.type === 'link_close' && closed?.type === 'link') parent[parent.length - 1] = readMention(closed)
      continue
    }
    const node = inlineNode(token, isInCell)
    const isTooDeep = token.nesting > 0 && open.length > MAX_LEVELS
    places?.openInline(node, token)
    if (!isTooDeep) append(nodes, node, places)
    if (token.nesting > 0) open.push(isInlineParent(node) && !isTooDeep ? node.children : nodes)
  }
  return result
}

/** Appends a node, and merges adjacent text. */
function append(nodes: PhrasingContent[], node: PhrasingContent, places: Places | undefined): void {
  const last = nodes.at(-1)
  if (node.type === 'text' && last?.type === 'text') {
    last.value += node.value
    places?.merge(last, node)
  } else if (node.type !== 'text' || node.value !== '') nodes.push(node)
}

function inlineNode(token: Token, isInCell: boolean): PhrasingContent {
  switch (token.type) {
    case 'softbreak':
      return text('\n')
    case 'hardbreak':
      return { type: 'break' }
    case 'code_inline':
      return { type: 'inlineCode', value: isInCell ? token.content.replace(/\\\|/g, '|') : token.content }
    case 'html_inline':
      return { type: 'html', value: token.content }
    case 'em_open':
      return { type: 'emphasis', children: [] }
    case 'strong_open':
      return { type: 'strong', children: [] }
    case 's_open':
      return { type: 'delete', children: [] }
    case 'link_open':
      return { type: 'link', url: String(token.attrGet('href') ?? ''), title: titleOf(token), children: [] }
    case 'image':
      return {
        type: 'image',
        url: String(token.attrGet('src') ?? ''),
        title: titleOf(token),
        alt: plain(token.children ?? []),
      }
    default:
      return text(token.content)
  }
}

function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      token.type === 'softbreak' ? '\n' : token.type === 'image' ? plain(token.children ?? []) : token.content,
    )
    .join('')
}

function titleOf(token: Token): string | null {
  const title = token.attrGet('title')
  return title === null ? null : String(title)
}
