import type { FootnoteDefinition, Link, Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { Tally } from '../removal'
import { text, textOf } from '../tree/nodes'
import { isIntricate } from './intricate'
import { replaceHtml } from './raw-html'

const parser = unified().use(remarkParse).use(remarkGfm).freeze()

/** For a text with more marks of emphasis than can be paired in bounded time: there they are text. */
const plainParser = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(function withoutEmphasis(this: { data(): { micromarkExtensions?: unknown[] } }) {
    this.data().micromarkExtensions?.push({ disable: { null: ['attention', 'strikethrough'] } })
  })
  .freeze()

/** The document that Markdown stands for: its raw HTML read as HTML, its references resolved, its bare addresses as text. */
export function readMarkdown(markdown: string, tally: Tally): Root {
  const intricate = isIntricate(markdown)
  if (intricate) tally.add('too-large')
  const root = (intricate ? plainParser : parser).parse(markdown)
  resolve(root, markdown)
  replaceHtml(root, tally)
  return root
}

interface Definition {
  url: string
  title?: string | null
}

/** Afterwards no node refers to another one. */
function resolve(root: Root, source: string): void {
  const definitions = new Map<string, Definition>()
  each(root, (node) => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node)
  })
  each(root, (node) => {
    if ('children' in node) {
      const children = node.children as RootContent[]
      node.children = children.flatMap((child) => resolved(child, definitions, source)) as Parents['children']
    }
  })
}

function resolved(node: RootContent, definitions: ReadonlyMap<string, Definition>, source: string): RootContent[] {
  switch (node.type) {
    case 'definition':
      return []
    case 'linkReference':
      return [{ type: 'link', url: definitions.get(node.identifier)?.url ?? '', children: node.children }]
    case 'imageReference':
      return [{ type: 'image', url: definitions.get(node.identifier)?.url ?? '', alt: node.alt }]
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
 * Neither `<…>` nor `[…](…)` but a bare address: where it ends is judged alike for all formats, later. GFM takes escapes
 * for a part of it where it finds it in the source, and not where it finds it in the text of the tree.
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

/** Every node, from the outside in. */
function each(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node)
  if ('children' in node) for (const child of node.children) each(child, visit)
}
