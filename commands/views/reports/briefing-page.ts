import type { AlignType, Nodes, Table } from 'mdast'
import { parseMarkdown } from '../../../src/rich-text'
import { type Briefing, renderBriefingMarkdown } from './briefing'
import { MAX_DEPTH, plainText } from './briefing-plain'
import { escapeHtml, renderPage } from './page'

export function renderBriefingPage(answer: Briefing): string {
  return renderPage('Status briefing', renderMarkdownHtml(renderBriefingMarkdown(answer)))
}

/**
 * Markdown as a few plain HTML elements. HTML in it is shown as text, a link as its text and address, an image as its description, so
 * nothing in it can load, run or mislead.
 */
function renderMarkdownHtml(markdown: string): string {
  return elementOf(parseMarkdown(markdown), 0)
}

function elementOf(node: Nodes, depth: number): string {
  if (depth > MAX_DEPTH) return escapeHtml(plainText(node))
  const inside = (separator = '') =>
    'children' in node ? node.children.map((child) => elementOf(child, depth + 1)).join(separator) : ''
  switch (node.type) {
    case 'root':
      return inside('\n')
    case 'heading':
      return `<h${node.depth}>${inside()}</h${node.depth}>`
    case 'paragraph':
      return `<p>${inside()}</p>`
    case 'strong':
      return `<strong>${inside()}</strong>`
    case 'emphasis':
      return `<em>${inside()}</em>`
    case 'delete':
      return `<s>${inside()}</s>`
    case 'blockquote':
      return `<blockquote>${inside('\n')}</blockquote>`
    case 'list':
      return node.ordered
        ? `<ol start="${Number(node.start ?? 1)}">\n${inside('\n')}\n</ol>`
        : `<ul>\n${inside('\n')}\n</ul>`
    case 'listItem':
      return `<li>${taskMark(node.checked)}${tight(node, inside)}</li>`
    case 'table':
      return tableOf(node, depth)
    case 'inlineCode':
      return `<code>${escapeHtml(node.value)}</code>`
    case 'code':
      return `<pre><code>${escapeHtml(node.value)}</code></pre>`
    case 'thematicBreak':
      return '<hr>'
    case 'break':
      return '<br>'
    case 'link':
      return plainText(node) === node.url ? inside() : `${inside()} (${escapeHtml(node.url)})`
    case 'definition':
    case 'footnoteDefinition':
      return ''
    default:
      return 'children' in node ? inside() : escapeHtml(plainText(node))
  }
}

function taskMark(checked: boolean | null | undefined): string {
  return checked === null || checked === undefined ? '' : checked ? '☑ ' : '☐ '
}

/** An entry of one paragraph is a line, not a paragraph. */
function tight(item: Nodes & { type: 'listItem' }, inside: (separator?: string) => string): string {
  const text = inside('\n')
  const isParagraph = item.children.length === 1 && item.children[0]!.type === 'paragraph'
  return isParagraph ? text.slice('<p>'.length, -'</p>'.length) : text
}

function tableOf({ align, children: [head, ...rows] }: Table, depth: number): string {
  const line = (row: Table['children'][number] | undefined, isHead: boolean) => {
    const cells = (row?.children ?? []).map((cell, column) => {
      const tag = isHead || column === 0 ? 'th' : 'td'
      const scope = tag === 'th' ? ` scope="${isHead ? 'col' : 'row'}"` : ''
      const inside = cell.children.map((child) => elementOf(child, depth + 2)).join('')
      return `<${tag}${scope}${classOf(align?.[column])}>${inside}</${tag}>`
    })
    return `<tr>${cells.join('')}</tr>`
  }
  return `<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>
<thead>${line(head, true)}</thead>
<tbody>
${rows.map((row) => line(row, false)).join('\n')}
</tbody>
</table></div>`
}

function classOf(align: AlignType | undefined): string {
  return align === 'right' ? ' class="n"' : ''
}
