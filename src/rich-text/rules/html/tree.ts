import type { ListItem, PhrasingContent, RootContent } from 'mdast'
import { text } from '../tree/nodes'
import { isElement, isShown, shownText } from './build'
import type { Element, HtmlNode } from './nodes'
import { tableNodes } from './table'

/**
 * Converts clean HTML to Markdown nodes one by one. Inline nodes may be between blocks and whitespace between nodes, because a
 * later step normalizes the tree for both formats. A general converter (rehype-remark) would repeat work that `cleanTree` has done,
 * and took a third of the total time.
 */
export function toMarkdownNodes(nodes: readonly HtmlNode[]): RootContent[] {
  return nodes.flatMap((node): RootContent[] => {
    // A line end in HTML source is whitespace.
    if (node.type === 'text')
      return [text(BLANKS.test(node.value) ? node.value.replace(/[\t\n\f\r ]+/g, ' ') : node.value)]
    return node.type === 'element' ? ofElement(node) : []
  })
}

/** Matches whitespace other than a single space. */
const BLANKS = /[\t\n\f\r]| {2}/

/** Maps elements to the nodes that only have children. */
const parents = {
  p: 'paragraph',
  blockquote: 'blockquote',
  strong: 'strong',
  em: 'emphasis',
  del: 'delete',
} as const

function ofElement(node: Element): RootContent[] {
  const { tagName, properties } = node
  if (Object.hasOwn(parents, tagName))
    return [{ type: parents[tagName as keyof typeof parents], children: inside(node) } as RootContent]
  switch (tagName) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return [{ type: 'heading', depth: Number(tagName[1]) as 1, children: inside(node) }]
    case 'ul':
    case 'ol': {
      const children = node.children.filter((item) => isElement(item, 'li')).map(listItem)
      if (tagName === 'ul') return [{ type: 'list', ordered: false, children }]
      const start = Number(properties['start'] ?? 1)
      return [{ type: 'list', ordered: true, start: Number.isFinite(start) ? start : 1, children }]
    }
    case 'pre': {
      const { language } = properties
      return [{ type: 'code', lang: typeof language === 'string' ? language : null, value: shownText(node.children) }]
    }
    case 'hr':
      return [{ type: 'thematicBreak' }]
    case 'table':
      return tableNodes(node, toMarkdownNodes)
    case 'code':
      return [{ type: 'inlineCode', value: shownText(node.children) }]
    case 'a':
      return [{ type: 'link', url: String(properties['href']), children: inside(node) }]
    case 'img':
      return [{ type: 'image', url: String(properties['src']), alt: String(properties['alt']) }]
    case 'mention': {
      const { account, name } = properties
      return [{ type: 'mention', account: typeof account === 'string' ? account : null, name: String(name) }]
    }
    case 'br':
      return [{ type: 'break' }]
    case 'q':
      return [text('"'), ...toMarkdownNodes(node.children), text('"')]
    case 'input':
      return [text(properties['checked'] === true ? '[x]' : '[ ]')]
    default:
      return toMarkdownNodes(node.children)
  }
}

/** Converts the children. The type is too narrow until a later step normalizes the tree. */
function inside<Child extends RootContent = PhrasingContent>(node: Element): Child[] {
  return toMarkdownNodes(node.children) as Child[]
}

/** Converts a list item. It is a task if it starts with a checkbox. */
function listItem(item: Element): ListItem {
  const { checkbox, rest } = withoutCheckbox(item.children)
  const checked = checkbox ? checkbox.properties['checked'] === true : null
  return { type: 'listItem', checked, children: toMarkdownNodes(rest) as ListItem['children'] }
}

function withoutCheckbox(children: HtmlNode[]): { checkbox: Element | null; rest: HtmlNode[] } {
  const at = children.findIndex(isShown)
  const first = children[at]
  if (isElement(first, 'input')) return { checkbox: first, rest: children.slice(at + 1) }
  if (!isElement(first, 'p')) return { checkbox: null, rest: children }
  const inner = withoutCheckbox(first.children)
  return { checkbox: inner.checkbox, rest: [{ ...first, children: inner.rest }, ...children.slice(at + 1)] }
}
