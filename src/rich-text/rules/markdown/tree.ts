import type { Token } from 'markdown-it'
import type {
  AlignType,
  FootnoteDefinition,
  Heading,
  ListItem,
  Parents,
  PhrasingContent,
  Root,
  RootContent,
} from 'mdast'
import { limits } from '../limits'
import { text } from '../tree/nodes'
import { inlineNodes } from './inline'
import { readBlocks, unescapeMarkdown } from './parser/parser'
import type { Places } from './places'

/**
 * Parses Markdown as a tree without references between nodes, and with bare addresses as text. Throws a RangeError if blocks are nested
 * too deeply.
 * @param places takes the places of the nodes in the source. Footnotes and mentions are then as they are written.
 */
export function parseMarkdownTree(markdown: string, places?: Places): Root {
  const { tokens, env } = readBlocks(markdown)
  const root: Root = { type: 'root', children: [] }
  const open: Parents[] = [root]
  for (const token of tokens) {
    const parent = open.at(-1) ?? root
    if (token.type === 'inline') {
      const content = withoutBox(token.content, open)
      places?.enter(parent, token, content)
      add(parent, inlineNodes(content, env, { isInCell: parent.type === 'tableCell', places }))
    } else if (token.nesting < 0) {
      open.pop()
      if (places) places.close(parent)
      else if (parent.type === 'footnoteDefinition') resolveFootnote(open.at(-1) ?? root, parent)
    } else {
      const node = blockNode(token)
      if (node) places?.open(node, token, parent)
      if (node) add(parent, [node])
      if (node && 'children' in node) open.push(node)
      if (open.length > limits.parsedLevels) throw new RangeError('The blocks are nested too deeply.')
    }
  }
  return root
}

function add(parent: Parents, nodes: readonly RootContent[]): void {
  for (const node of nodes) (parent.children as RootContent[]).push(node)
}

function blockNode(token: Token): RootContent | null {
  switch (token.type) {
    case 'paragraph_open':
      return { type: 'paragraph', children: [] }
    case 'heading_open':
      return { type: 'heading', depth: Number(token.tag.slice(1)) as Heading['depth'], children: [] }
    case 'blockquote_open':
      return { type: 'blockquote', children: [] }
    case 'bullet_list_open':
      return { type: 'list', ordered: false, children: [] }
    case 'ordered_list_open':
      return { type: 'list', ordered: true, start: Number(token.attrGet('start') ?? 1), children: [] }
    case 'list_item_open':
      return { type: 'listItem', children: [] }
    case 'table_open':
      return { type: 'table', align: token.meta?.['align'] as AlignType[], children: [] }
    case 'tr_open':
      return { type: 'tableRow', children: [] }
    case 'td_open':
      return { type: 'tableCell', children: [] }
    case 'footnote_open':
      return { type: 'footnoteDefinition', identifier: token.content, children: [] }
    case 'hr':
      return { type: 'thematicBreak' }
    case 'code_block':
    case 'fence':
      return {
        type: 'code',
        lang: unescapeMarkdown(token.info).trim().split(/\s/, 1)[0],
        value: oneEndLess(token.content),
      }
    case 'html_block':
      return { type: 'html', value: oneEndLess(token.content) }
    default:
      return null
  }
}

function oneEndLess(lines: string): string {
  return lines.replace(/\n$/, '')
}

/** Removes the checkbox of a task from the first paragraph of its list item, and stores its state in the item. */
function withoutBox(content: string, open: readonly Parents[]): string {
  const item = open.at(-2)
  const isFirst = item?.type === 'listItem' && item.children.length === 1 && open.at(-1)?.type === 'paragraph'
  const box = isFirst ? /^\[([ \t\nxX])\](?=\s)/.exec(content) : null
  if (!box) return content
  ;(item as ListItem).checked = (box[1] ?? '').trim() !== ''
  return content.slice(box[0].length).trimStart()
}

/** Puts a footnote after its label, at the position of its definition. */
function resolveFootnote(parent: Parents, { identifier, children }: FootnoteDefinition): void {
  const mark: PhrasingContent = text(`[${unescapeMarkdown(identifier)}] `)
  const [first, ...rest] = children
  parent.children.pop()
  if (first?.type !== 'paragraph') add(parent, [{ type: 'paragraph', children: [mark] }, ...children])
  else add(parent, [{ ...first, children: [mark, ...first.children] }, ...rest])
}
