import { escapeText } from 'entities'
import type { Element, ElementContent, Root as HtmlRoot, Nodes } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import type { Link, ListItem, Root } from 'mdast'
import { type Handlers, toHast } from 'mdast-util-to-hast'
import { parseFragment } from 'parse5'
import { parseMarkdown } from './markdown/read'
import {
  formatMentionAttribute,
  MENTION_ATTRIBUTE,
  mentionedIdentity,
  nameMentions,
  type PersonIdentity,
} from './mentions'

/** The tracker removes input elements from HTML, so that a checkbox is a character. */
export const BOXES = { checked: '☑', open: '☐' } as const

/**
 * Converts Markdown (GFM) to HTML that the tracker stores unchanged: no scripts, no styles, no attributes but those of the text.
 * `people` are the people whose names become mentions. Without `images`, an image is left out: it would be loaded from its address.
 */
export function markdownToHtml(
  markdown: string,
  { people = [], images = true }: { people?: readonly PersonIdentity[]; images?: boolean } = {},
): string {
  try {
    const root = parseMarkdown(markdown)
    nameMentions(root, people)
    return treeToHtml(root, images ? schema : textSchema)
  } catch (error) {
    // Lists in lists of a thousand levels exhaust the stack.
    if (error instanceof RangeError) return `<pre>${escapeText(markdown)}</pre>`
    throw error
  }
}

export function treeToHtml(root: Root, allowed: Schema = schema): string {
  const tree = toHast(root, { allowDangerousHtml: true, handlers }) as HtmlRoot
  // Raw HTML in Markdown is text up to here. Only a parser can judge it.
  const written = toHtml(tree, { allowDangerousHtml: true })
  const parsed = fromParse5(parseFragment(written) as never) as Nodes
  return toHtml(sanitize(parsed, allowed)).trim()
}

const handlers: Handlers = {
  link(state, node: Link) {
    const identity = mentionedIdentity(node)
    const properties = identity
      ? { href: '#', [MENTION_ATTRIBUTE]: formatMentionAttribute(identity) }
      : { href: node.url, ...(node.title ? { title: node.title } : {}) }
    return { type: 'element', tagName: 'a', properties, children: state.all(node) as ElementContent[] }
  },
  listItem(state, node: ListItem) {
    const children = state.all(node) as ElementContent[]
    const paragraphs = children.filter(isParagraph)
    // A lone paragraph needs no element of its own. Several would run together without one.
    const shown =
      paragraphs.length === 1 ? children.flatMap((child) => (isParagraph(child) ? child.children : [child])) : children
    if (typeof node.checked === 'boolean') addBox(shown, node.checked ? BOXES.checked : BOXES.open)
    return { type: 'element', tagName: 'li', properties: {}, children: shown }
  },
}

function isParagraph(node: ElementContent | undefined): node is Element {
  return node?.type === 'element' && node.tagName === 'p'
}

function addBox(children: ElementContent[], box: string): void {
  const [first] = children
  const text = { type: 'text' as const, value: `${box} ` }
  if (isParagraph(first)) first.children.unshift(text)
  else children.unshift(text)
}

const schema: Schema = {
  ...defaultSchema,
  tagNames: [...defaultSchema.tagNames!.filter((name) => name !== 'input'), 'u'],
  attributes: {
    ...defaultSchema.attributes,
    a: ['href', 'title', MENTION_ATTRIBUTE],
    code: [['className', /^language-[\w+#.-]{1,40}$/]],
    li: [],
    ul: [],
    ol: ['start'],
    '*': ['align', 'colSpan', 'rowSpan', 'alt', 'width', 'height'],
  },
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto', 'tel', 'vstfs'], src: ['http', 'https'] },
  clobber: [],
  strip: ['script', 'style', 'title', 'textarea', 'select', 'option'],
}

const textSchema: Schema = { ...schema, tagNames: schema.tagNames!.filter((name) => name !== 'img') }
