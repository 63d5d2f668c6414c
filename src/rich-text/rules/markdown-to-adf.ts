import type { Image, List, ListItem, PhrasingContent, RootContent, Table } from 'mdast'
import { type AdfNode, childrenOf } from './adf-to-markdown'
import { BOXES } from './html/write'
import { readMarkdown } from './markdown/read'
import { writeMarkdown } from './markdown/write'
import { isActive } from './tree/addresses'

type Mark = NonNullable<AdfNode['marks']>[number]

/** Converts Markdown (GFM) to a document of Atlassian. */
export function markdownToAdf(markdown: string): { version: 1; type: 'doc'; content: AdfNode[] } {
  const blocks = readMarkdown(markdown).children.filter(({ type }) => type !== 'debris')
  return { version: 1, type: 'doc', content: toAdfBlocks(blocks) }
}

function writeBlock(block: RootContent): string {
  return writeMarkdown({ type: 'root', children: [block] })
}

/** `isNested`: in a list or a quotation, which contain no headings, rules and tables. */
export function toAdfBlocks(blocks: readonly RootContent[], isNested = false): AdfNode[] {
  return blocks.flatMap((block): AdfNode[] => {
    switch (block.type) {
      case 'paragraph': {
        const [only, ...others] = block.children
        const isImage = only?.type === 'image' && others.length === 0 && /^https?:\/\//i.test(only.url)
        return [isImage && !isNested ? toMedia(only) : paragraph(toAdfInline(block.children))]
      }
      case 'heading':
        return isNested
          ? [paragraph(toAdfInline(block.children, [{ type: 'strong' }]))]
          : [{ type: 'heading', attrs: { level: block.depth }, content: toAdfInline(block.children) }]
      case 'code': {
        const content: AdfNode[] = block.value === '' ? [] : [{ type: 'text', text: block.value }]
        return [{ type: 'codeBlock', ...(block.lang ? { attrs: { language: block.lang } } : {}), content }]
      }
      case 'thematicBreak':
        return isNested ? [paragraph([{ type: 'text', text: '---' }])] : [{ type: 'rule' }]
      case 'list':
        return [toList(block)]
      case 'blockquote': {
        const content = toAdfBlocks(block.children, true).flatMap((node) =>
          node.type === 'blockquote' ? childrenOf(node) : node,
        )
        return [{ type: 'blockquote', content: content.length > 0 ? content : [paragraph([])] }]
      }
      case 'table':
        return isNested ? [paragraph([{ type: 'text', text: writeBlock(block) }])] : [toTable(block)]
      case 'html':
        return [paragraph([{ type: 'text', text: block.value }])]
      default:
        return 'value' in block || 'children' in block
          ? [paragraph(toAdfInline([block as PhrasingContent]))]
          : [paragraph([{ type: 'text', text: writeBlock(block) }])]
    }
  })
}

/** An image that is a block of its own is shown from its address. In a line of text, Atlassian has only files with an ID of their own. */
function toMedia({ url, alt }: Image): AdfNode {
  const media = { type: 'media', attrs: { type: 'external', url, ...(alt ? { alt } : {}) } }
  return { type: 'mediaSingle', attrs: { layout: 'center' }, content: [media] }
}

function toList({ ordered, start, children }: List): AdfNode {
  const content = children.map(toListItem)
  return ordered ? { type: 'orderedList', attrs: { order: start ?? 1 }, content } : { type: 'bulletList', content }
}

/** An item begins with a paragraph or with code. */
function toListItem({ checked, children }: ListItem): AdfNode {
  const content = toAdfBlocks(children, true).flatMap((node) => (node.type === 'blockquote' ? childrenOf(node) : node))
  const first = content[0]?.type
  if (first !== 'paragraph' && (first !== 'codeBlock' || typeof checked === 'boolean')) content.unshift(paragraph([]))
  if (typeof checked === 'boolean') {
    const box: AdfNode = { type: 'text', text: `${checked ? BOXES.checked : BOXES.open} ` }
    content[0] = paragraph([box, ...childrenOf(content[0])])
  }
  return { type: 'listItem', content }
}

function toTable({ children }: Table): AdfNode {
  const content = children.map((row, index) => ({
    type: 'tableRow',
    content: row.children.map((cell) => ({
      type: index === 0 ? 'tableHeader' : 'tableCell',
      content: [paragraph(toAdfInline(cell.children))],
    })),
  }))
  return { type: 'table', content }
}

export function toAdfInline(nodes: readonly PhrasingContent[], marks: readonly Mark[] = []): AdfNode[] {
  return nodes.flatMap((node): AdfNode[] => {
    const text = (value: string, extra: Mark[] = []): AdfNode[] => {
      const all = [...marks, ...extra]
      return value === '' ? [] : [{ type: 'text', text: value, ...(all.length > 0 ? { marks: all } : {}) }]
    }
    const inner = (type: string) =>
      'children' in node ? toAdfInline(node.children, [...marks.filter((mark) => mark.type !== type), { type }]) : []
    switch (node.type) {
      case 'text':
        return text(node.value.replace(/(?<!\s)\s*\n\s*/g, ' '))
      case 'strong':
        return inner('strong')
      case 'emphasis':
        return inner('em')
      case 'delete':
        return inner('strike')
      case 'styled': {
        const mark =
          node.style === 'underline'
            ? { type: 'underline' }
            : { type: 'subsup', attrs: { type: node.style.slice(0, 3) } }
        return toAdfInline(node.children, [...marks.filter(({ type }) => type !== mark.type), mark])
      }
      case 'break':
        return [{ type: 'hardBreak' }]
      case 'inlineCode':
        // Code has no other mark than that of a link.
        return [
          { type: 'text', text: node.value, marks: [...marks.filter(({ type }) => type === 'link'), { type: 'code' }] },
        ]
      case 'mention':
        return node.account === null
          ? text(`@${node.name}`)
          : [{ type: 'mention', attrs: { id: node.account, text: `@${node.name}` } }]
      case 'link': {
        if (isActive(node.url)) return toAdfInline(node.children, marks)
        const attrs = { href: node.url, ...(node.title ? { title: node.title } : {}) }
        const link = { type: 'link', attrs }
        const shown = toAdfInline(node.children, [...marks.filter(({ type }) => type !== 'link'), link])
        return shown.length > 0 ? shown : text(node.url, [link])
      }
      case 'image':
        if (isActive(node.url)) return text(node.alt ?? '')
        return text(node.alt || node.url, [
          { type: 'link', attrs: { href: node.url, ...(node.title ? { title: node.title } : {}) } },
        ])
      default:
        return 'value' in node
          ? text(node.value)
          : 'children' in node
            ? toAdfInline(node.children as PhrasingContent[], marks)
            : text(writeBlock({ type: 'paragraph', children: [node] }))
    }
  })
}

function paragraph(content: AdfNode[]): AdfNode {
  return { type: 'paragraph', content }
}
