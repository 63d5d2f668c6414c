import type {
  Break,
  Code,
  Delete,
  Emphasis,
  Image,
  InlineCode,
  Link,
  Nodes,
  PhrasingContent,
  RootContent,
  Strong,
  Text,
} from 'mdast'
import type { Mention } from '../../model'

/** An inline node of the result. */
export type Inline = Text | Emphasis | Strong | Delete | InlineCode | Break | Link

/** An inline node with children. */
export type InlineParent = Emphasis | Strong | Delete | Link

/** A node whose text is searched for people and secrets. */
export type Leaf = Text | InlineCode | Code

export const text = (value: string): Text => ({ type: 'text', value })

const inlineTypes = new Set<Nodes['type']>([
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'break',
  'link',
  'image',
  'mention',
] satisfies (Inline | Image | Mention)['type'][])

export function isInline(node: Nodes): node is Inline | Image | Mention {
  return inlineTypes.has(node.type)
}

export function isInlineParent(node: Nodes): node is InlineParent {
  return 'children' in node && inlineTypes.has(node.type)
}

/** Returns all text below the nodes, with a space between blocks and for breaks. */
export function textOf(nodes: readonly (RootContent | PhrasingContent)[]): string {
  const parts: string[] = []
  const walk = (node: Nodes) => {
    if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code') parts.push(node.value)
    else if (node.type === 'break') parts.push(' ')
    else if (node.type === 'image') parts.push(node.alt ?? '')
    else if (node.type === 'mention') parts.push(`@${node.name}`)
    else if ('children' in node) {
      for (const child of node.children) walk(child)
      if (!isInline(node)) parts.push(' ')
    }
  }
  for (const node of nodes) walk(node)
  return parts.join('')
}
