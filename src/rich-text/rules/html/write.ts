import type { List, Nodes, PhrasingContent, Root, RootContent, Table } from 'mdast'
import { escapeHtml } from '../../../kernel/text/text'
import { MENTION_ATTRIBUTE } from './mention'

/** The tracker removes input elements from HTML, so that a checkbox is a character. */
export const BOXES = { checked: '☑', open: '☐' } as const

/** Addresses that a link may have. Relative ones stay, too. */
const LINK_PROTOCOL = /^(?:https?|mailto|tel|vstfs):|^[^:]*(?:[/?#]|$)/i
const IMAGE_PROTOCOL = /^https?:\/\//i

export interface HtmlOptions {
  /** Without images, an image is left out: it would be loaded from its address. */
  images: boolean
}

/**
 * Writes a document as HTML. Only the elements and attributes of this file are in it, all text is escaped, and no address runs code, so
 * that the result is safe whatever the document holds.
 */
export function writeHtml({ children }: Root, options: HtmlOptions = { images: true }): string {
  return writeBlocks(children, options)
}

function writeBlocks(blocks: readonly RootContent[], options: HtmlOptions): string {
  return blocks
    .map((block) => writeBlock(block, options))
    .filter(Boolean)
    .join('\n')
}

function writeBlock(block: RootContent, options: HtmlOptions): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${writeInlines(block.children, options)}</p>`
    case 'heading':
      return `<h${block.depth}>${writeInlines(block.children, options)}</h${block.depth}>`
    case 'code': {
      const language = block.lang && /^[\w+#.-]{1,40}$/.test(block.lang) ? ` class="language-${block.lang}"` : ''
      return `<pre><code${language}>${escapeHtml(block.value)}\n</code></pre>`
    }
    case 'thematicBreak':
      return '<hr>'
    case 'blockquote':
      return `<blockquote>\n${writeBlocks(block.children, options)}\n</blockquote>`
    case 'list':
      return writeList(block, options)
    case 'table':
      return writeTable(block, options)
    default:
      return writeInline(block, options)
  }
}

function writeList({ ordered, start, children }: List, options: HtmlOptions): string {
  const items = children.map(({ checked, children: blocks }) => {
    const box = typeof checked === 'boolean' ? `${checked ? BOXES.checked : BOXES.open} ` : ''
    const paragraphs = blocks.filter(({ type }) => type === 'paragraph').length
    // A lone paragraph needs no element of its own. Several would run together without one.
    const parts = blocks.map((block, index) => {
      if (block.type !== 'paragraph') return `${index === 0 ? box : ''}${writeBlock(block, options)}`
      const shown = (index === 0 ? box : '') + writeInlines(block.children, options)
      return paragraphs === 1 ? shown : `<p>${shown}</p>`
    })
    return `<li>${parts.join(paragraphs > 1 ? '' : '\n') || box}</li>`
  })
  const name = ordered ? 'ol' : 'ul'
  const first = ordered && typeof start === 'number' && start !== 1 ? ` start="${start}"` : ''
  return `<${name}${first}>\n${items.join('\n')}\n</${name}>`
}

function writeTable({ align, children }: Table, options: HtmlOptions): string {
  const rows = children.map((row, index) => {
    const name = index === 0 ? 'th' : 'td'
    const cells = row.children.map((cell, column) => {
      const side = align?.[column]
      return `<${name}${side ? ` align="${side}"` : ''}>${writeInlines(cell.children, options)}</${name}>`
    })
    return `<tr>\n${cells.join('\n')}\n</tr>`
  })
  const body = rows.length > 1 ? `\n<tbody>\n${rows.slice(1).join('\n')}\n</tbody>` : ''
  return `<table>\n<thead>\n${rows[0] ?? ''}\n</thead>${body}\n</table>`
}

function writeInlines(nodes: readonly PhrasingContent[], options: HtmlOptions): string {
  return nodes.map((node) => writeInline(node, options)).join('')
}

const names = { strong: 'strong', emphasis: 'em', delete: 'del' } as const
const styles = { underline: 'u', subscript: 'sub', superscript: 'sup' } as const

function writeInline(node: Nodes, options: HtmlOptions): string {
  switch (node.type) {
    case 'text':
      return escapeHtml(node.value)
    case 'strong':
    case 'emphasis':
    case 'delete':
      return `<${names[node.type]}>${writeInlines(node.children, options)}</${names[node.type]}>`
    case 'styled':
      return `<${styles[node.style]}>${writeInlines(node.children, options)}</${styles[node.style]}>`
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`
    case 'break':
      return '<br>\n'
    case 'mention':
      return node.account !== null && /^[\w-]{1,64}$/.test(node.account)
        ? `<a href="#" ${MENTION_ATTRIBUTE}="version:2.0,${node.account}">@${escapeHtml(node.name)}</a>`
        : escapeHtml(`@${node.name}`)
    case 'link': {
      const shown = writeInlines(node.children, options)
      return LINK_PROTOCOL.test(node.url) ? `<a href="${escapeHtml(node.url)}"${writeTitle(node)}>${shown}</a>` : shown
    }
    case 'image': {
      if (!options.images) return ''
      const source = IMAGE_PROTOCOL.test(node.url) || /^[^:]*$/.test(node.url) ? ` src="${escapeHtml(node.url)}"` : ''
      return `<img${source} alt="${escapeHtml(node.alt ?? '')}"${writeTitle(node)}>`
    }
    default:
      return 'children' in node ? writeInlines(node.children as PhrasingContent[], options) : ''
  }
}

function writeTitle({ title }: { title?: string | null | undefined }): string {
  return title ? ` title="${escapeHtml(title)}"` : ''
}
