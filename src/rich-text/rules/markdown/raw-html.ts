import type { Html, Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast'
import { escapeHtml } from '../../../kernel/text/text'
import type { Debris } from '../../model'
import { note } from '../debris'
import { dropped, isHtmlElement } from '../html/elements'
import { isHostile } from '../html/hostile'
import { ACCOUNT_ATTRIBUTE } from '../html/mention'
import { readFragment } from '../html/read'
import { htmlToLines } from '../plain-text/html'
import { isInlineParent, text } from '../tree/nodes'

/**
 * Parses raw HTML in Markdown. A block of HTML is parsed separately, and tags within a paragraph together with the text between
 * them. Tags that HTML does not define (`List<string>`, pasted XML) remain as text or code.
 */
export function replaceHtml(node: Root | RootContent, debris: Debris[]): void {
  if (!('children' in node)) return
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
    if (node.children.some(holdsHtml)) node.children = inlineHtml(node.children, debris) as PhrasingContent[]
    return
  }
  for (const child of node.children) replaceHtml(child as RootContent, debris)
  node.children = (node.children as RootContent[]).flatMap((child) => htmlBlock(child, debris)) as Parents['children']
}

function holdsHtml(node: Nodes): boolean {
  return node.type === 'html' || ('children' in node && node.children.some(holdsHtml))
}

function htmlBlock(node: RootContent, debris: Debris[]): RootContent[] {
  if (node.type !== 'html') return [node]
  const name = tagName(node)
  if (name !== null && !isHtmlElement(name)) return [{ type: 'code', lang: 'xml', value: node.value }]
  if (isHostile(node.value)) return [{ type: 'paragraph', children: textOf(node.value, debris) }]
  return readFragment(node.value, debris)
}

/** Parses a paragraph that contains tags. The result may contain blocks, which the caller separates. */
function inlineHtml(children: PhrasingContent[], debris: Debris[]): RootContent[] {
  const known = withKnownTags(children, debris)
  if (!known.some(holdsHtml)) return known
  const html = known.map(asHtml).join('')
  if (isHostile(html)) return textOf(html, debris)
  const read = readFragment(html, debris)
  return read.length === 1 && read[0]?.type === 'paragraph' ? read[0].children : read
}

/** Returns the text of HTML that is too large to parse. It is prose like the text around it, and no code. */
function textOf(html: string, debris: Debris[]): PhrasingContent[] {
  note(debris, 'too-large')
  return htmlToLines(html)
    .split('\n')
    .flatMap((line): PhrasingContent[] => [{ type: 'break' }, text(line)])
    .slice(1)
}

function withKnownTags(children: PhrasingContent[], debris: Debris[]): PhrasingContent[] {
  const lastClosing = new Map<string | null, number>()
  for (const [index, child] of children.entries()) {
    if (child.type === 'html' && child.value.startsWith('</')) lastClosing.set(tagName(child), index)
  }
  return children.flatMap((child, index): PhrasingContent[] => {
    if (isInlineParent(child)) return [{ ...child, children: withKnownTags(child.children, debris) } as PhrasingContent]
    if (child.type !== 'html') return [child]
    const name = tagName(child)
    if (name === null) return [child]
    if (!isHtmlElement(name)) return [unknownTag(child, children[index - 1])]
    if (name === 'br') return [{ type: 'break' }]
    // An unclosed element would remove the rest of the paragraph, so only its tag is removed.
    const kind = dropped.get(name)
    if (!kind || child.value.startsWith('</') || (lastClosing.get(name) ?? -1) > index) return [child]
    note(debris, kind)
    return []
  })
}

/** Returns an unknown tag as text. In the tracker's form `@<Jane Doe>` and `@<c0ffee00-…>` it is a mention, and takes the sign. */
function unknownTag({ value }: Html, before: Nodes | undefined): PhrasingContent {
  if (before?.type !== 'text' || !before.value.endsWith('@')) return text(value)
  before.value = before.value.slice(0, -1)
  const name = value.slice(1, -1)
  return { type: 'mention', account: IDENTITY.test(name) ? name : null, name }
}

const IDENTITY = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Returns the name of a tag, or null for a comment, a declaration or similar markup. */
function tagName({ value }: Html): string | null {
  return /^<\/?([a-z][a-z0-9-]*)/i.exec(value)?.[1]?.toLowerCase() ?? null
}

/** Writes an inline Markdown node as HTML. */
function asHtml(node: Nodes): string {
  switch (node.type) {
    case 'html':
      return node.value
    case 'text':
      return escapeHtml(node.value)
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`
    case 'break':
      return '<br>'
    case 'mention':
      return `<at ${ACCOUNT_ATTRIBUTE}="${escapeHtml(node.account ?? '')}">${escapeHtml(node.name)}</at>`
    case 'image':
      return `<img src="${escapeHtml(node.url)}" alt="${escapeHtml(node.alt ?? '')}"${titleOf(node)}>`
    case 'link':
      return `<a href="${escapeHtml(node.url)}"${titleOf(node)}>${node.children.map(asHtml).join('')}</a>`
    case 'styled':
      return node.children.map(asHtml).join('')
    case 'emphasis':
    case 'strong':
    case 'delete':
      return `<${tags[node.type]}>${node.children.map(asHtml).join('')}</${tags[node.type]}>`
    default:
      return ''
  }
}

const titleOf = ({ title }: { title?: string | null }) => (title ? ` title="${escapeHtml(title)}"` : '')

const tags = { emphasis: 'em', strong: 'strong', delete: 'del' } as const
