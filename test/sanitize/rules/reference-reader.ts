import type { Definition, FootnoteDefinition, Link, Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast'
import type { Extension, Handle } from 'mdast-util-from-markdown'
import type { Debris } from '../../../src/rich-text'
import { replaceHtml } from '../../../src/rich-text/rules/markdown/raw-html'
import { normalize } from '../../../src/rich-text/rules/tree/blocks'
import { text, textOf } from '../../../src/rich-text/rules/tree/nodes'
import { parseMarkdown } from '../../markdown-reference'

/** Corrects the parser, which treats `[ ]` after an empty list item as a task outside any item (`-\n[ ] a`). It is text there. */
const checkedTasks: Extension = {
  exit: { taskListCheckValueChecked: exitTask(true), taskListCheckValueUnchecked: exitTask(false) },
}

function exitTask(checked: boolean): Handle {
  return function ({ start, end }) {
    const item = this.stack.at(-2)
    const paragraph = this.stack.at(-1)
    if (item?.type === 'listItem') item.checked = checked
    else if (paragraph?.type === 'paragraph') {
      paragraph.children.push({ ...text(checked ? '[x]' : '[ ]'), position: { start, end } })
    }
  }
}

/**
 * Parses Markdown with micromark, in the form that our parser returns. It is the reference for our parser, and represents the
 * programs that will read our output.
 */
export function readByReference(markdown: string): Root {
  const root = parseMarkdown(markdown, checkedTasks)
  const definitions = new Map<string, Definition>()
  each(root, (node) => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node)
  })
  each(root, (node) => {
    if ('children' in node) {
      const children = node.children as RootContent[]
      node.children = children.flatMap((child) => resolved(child, definitions, markdown)) as Parents['children']
    }
  })
  const debris: Debris[] = []
  replaceHtml(root, debris)
  return normalize([...root.children, ...debris])
}

function resolved(node: RootContent, definitions: ReadonlyMap<string, Definition>, source: string): RootContent[] {
  const target = (identifier: string) => {
    const { url = '', title } = definitions.get(identifier) ?? {}
    return { url, title }
  }
  switch (node.type) {
    case 'definition':
      return []
    case 'linkReference':
      return [{ ...target(node.identifier), type: 'link', children: node.children }]
    case 'imageReference':
      return [{ ...target(node.identifier), type: 'image', alt: node.alt }]
    case 'footnoteReference':
      return [text(`[${node.label ?? node.identifier}]`)]
    case 'footnoteDefinition':
      return footnote(node)
    case 'link': {
      const opening = source[node.position?.start.offset ?? -1]
      return opening === '<' || opening === '[' ? [node] : [text(bareAddress(node))]
    }
    default:
      return [node]
  }
}

/**
 * Returns a bare address without escapes. The GFM plugin includes them if it finds the address in the source, but not if it finds
 * it in the text of the tree.
 */
function bareAddress({ children, position }: Link): string {
  const address = textOf(children)
  return position ? address.replace(/\\([!-/:-@[-`{-~])/g, '$1') : address
}

function footnote({ label, identifier, children }: FootnoteDefinition): RootContent[] {
  const mark: PhrasingContent = text(`[${label ?? identifier}] `)
  const [first, ...rest] = children
  if (first?.type !== 'paragraph') return [{ type: 'paragraph', children: [mark] }, ...children]
  return [{ ...first, children: [mark, ...first.children] }, ...rest]
}

/** Visits every node from the outside in. */
function each(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node)
  if ('children' in node) for (const child of node.children) each(child, visit)
}
