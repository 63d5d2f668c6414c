import type { Html, Nodes, Parents, PhrasingContent, Root, RootContent } from 'mdast'
import { escapeHtml } from '../../../kernel/text'
import { dropped, isHtmlElement } from '../html/elements'
import { isHostile } from '../html/hostile'
import { readHtml } from '../html/read'
import { htmlToLines } from '../plain-text/html'
import { marks } from '../redact/marks'
import type { Tally } from '../removal'
import { isInlineParent, text } from '../tree/nodes'

/**
 * Parses raw HTML in Markdown. A block of HTML is parsed separately, and tags within a paragraph together with the text between
 * them. Tags that HTML does not define (`List<string>`, pasted XML) remain as text or code.
 */
export function replaceHtml(node: Root | RootContent, tally: Tally): void {
  if (!('children' in node)) return
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
    if (node.children.some(holdsHtml)) node.children = inlineHtml(node.children, tally) as PhrasingContent[]
    return
  }
  for (const child of node.children) replaceHtml(child as RootContent, tally)
  node.children = (node.children as RootContent[]).flatMap((child) => htmlBlock(child, tally)) as Parents['children']
}

function holdsHtml(node: Nodes): boolean {
  return node.type === 'html' || ('children' in node && node.children.some(holdsHtml))
}

function htmlBlock(node: RootContent, tally: Tally): RootContent[] {
  if (node.type !== 'html') return [node]
  const name = tagName(node)
  if (name !== null && !isHtmlElement(name)) return [{ type: 'code', lang: 'xml', value: node.value }]
  if (isHostile(node.value)) return [{ type: 'paragraph', children: textOf(node.value, tally) }]
  return readHtml(node.value, tally).children
}

/** Parses a paragraph that contains tags. The result may contain blocks, which the caller separates. */
function inlineHtml(children: PhrasingContent[], tally: Tally): RootContent[] {
  const known = withKnownTags(children, tally)
  if (!known.some(holdsHtml)) return known
  const html = known.map(asHtml).join('')
  if (isHostile(html)) return textOf(html, tally)
  const read = readHtml(html, tally).children
  return read.length === 1 && read[0]?.type === 'paragraph' ? read[0].children : read
}

/** Returns the text of HTML that is too large to parse. It is prose like the text around it, and no code. */
function textOf(html: string, tally: Tally): PhrasingContent[] {
  tally.add('too-large')
  return htmlToLines(html)
    .split('\n')
    .flatMap((line): PhrasingContent[] => [{ type: 'break' }, text(line)])
    .slice(1)
}

function withKnownTags(children: PhrasingContent[], tally: Tally): PhrasingContent[] {
  const lastClosing = new Map<string | null, number>()
  for (const [index, child] of children.entries()) {
    if (child.type === 'html' && child.value.startsWith('</')) lastClosing.set(tagName(child), index)
  }
  return children.flatMap((child, index): PhrasingContent[] => {
    if (isInlineParent(child)) return [{ ...child, children: withKnownTags(child.children, tally) } as PhrasingContent]
    if (child.type !== 'html') return [child]
    const name = tagName(child)
    if (name === null) return [child]
    if (!isHtmlElement(name)) return unknownTag(child, children[index - 1], tally)
    if (name === 'br') return [{ type: 'break' }]
    // An unclosed element would remove the rest of the paragraph, so only its tag is removed.
    const kind = dropped.get(name)
    if (!kind || child.value.startsWith('</') || (lastClosing.get(name) ?? -1) > index) return [child]
    tally.add(kind)
    return []
  })
}

/** Returns an unknown tag as text. `@<Jane Doe>` and `@<c0ffee00-…>` are mentions. */
function unknownTag({ value }: Html, before: Nodes | undefined, tally: Tally): PhrasingContent[] {
  if (before?.type !== 'text' || !before.value.endsWith('@')) return [text(value)]
  tally.add('mention')
  return [text(marks.mention.slice(1))]
}

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
    case 'image':
      return `<img src="${escapeHtml(node.url)}" alt="${escapeHtml(node.alt ?? '')}">`
    case 'link':
      return `<a href="${escapeHtml(node.url)}">${node.children.map(asHtml).join('')}</a>`
    case 'emphasis':
    case 'strong':
    case 'delete':
      return `<${tags[node.type]}>${node.children.map(asHtml).join('')}</${tags[node.type]}>`
    default:
      return ''
  }
}

const tags = { emphasis: 'em', strong: 'strong', delete: 'del' } as const
