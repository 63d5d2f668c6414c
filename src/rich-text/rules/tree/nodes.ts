import type {
  BlockContent,
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
import type { Mention, Styled } from '../../model'

/** A block of a document. */
export type Block = BlockContent

/** An inline node of a document. */
export type Inline = Text | Emphasis | Strong | Delete | InlineCode | Break | Link | Image | Mention | Styled

/** An inline node with children. */
export type InlineParent = Emphasis | Strong | Delete | Link | Styled

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
  'styled',
] satisfies Inline['type'][])

export function isInline(node: Nodes): node is Inline {
  return inlineTypes.has(node.type)
}

export function isInlineParent(node: Nodes): node is InlineParent {
  return 'children' in node && inlineTypes.has(node.type)
}

/** Returns whether the node shows anything: a letter, an image or a line. */
export function isShown(node: Nodes): boolean {
  if ('value' in node) return node.value.trim() !== ''
  if ('children' in node) return node.children.some(isShown)
  return node.type === 'image' || node.type === 'thematicBreak' || node.type === 'mention'
}

/** Returns all text below the nodes, with a space between blocks and for breaks. */
export function textOf(nodes: readonly (RootContent | PhrasingContent)[]): string {
  return joinText(nodes, (parts) => parts.push(' '), false)
}

/** Returns all text below the nodes as it is shown, with a line end for each break, and before and after each block. */
export function linesOf(nodes: readonly (RootContent | PhrasingContent)[]): string {
  const endLine = (parts: string[]) => {
    if (parts.length > 0 && !parts.at(-1)?.endsWith('\n')) parts.push('\n')
  }
  return joinText(nodes, endLine, true)
}

function joinText(nodes: readonly Nodes[], separate: (parts: string[]) => void, asLines: boolean): string {
  const parts: string[] = []
  const walk = (node: Nodes) => {
    const isBlock = !isInline(node)
    if (asLines && isBlock) separate(parts)
    if (node.type === 'break') parts.push(asLines ? '\n' : ' ')
    else if (node.type === 'image') parts.push(node.alt ?? '')
    else if (node.type === 'mention') parts.push(`@${node.name}`)
    else if ('value' in node) parts.push(node.value)
    else if ('children' in node) for (const child of node.children) walk(child)
    if (isBlock && ('children' in node || asLines)) separate(parts)
  }
  for (const node of nodes) walk(node)
  return parts.join('')
}
