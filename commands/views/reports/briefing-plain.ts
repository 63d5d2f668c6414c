import type { List, Nodes, Table } from 'mdast'
import { parseMarkdown } from '../../../src/rich-text'
import { printable, wrapText } from '../../terminal/layout'
import { textWidth } from '../../terminal/wrap-text'
import { type Briefing, renderBriefingMarkdown } from './briefing'

/** Columns that no mail program wraps again. */
const WIDTH = 78

export function renderBriefingPlain(answer: Briefing): string {
  return renderMarkdownPlain(renderBriefingMarkdown(answer))
}

/** Markdown as plain text for a mail: headings are underlined, tables are in columns, and prose is wrapped. */
function renderMarkdownPlain(markdown: string): string {
  return `${blocksOf(parseMarkdown(markdown), WIDTH, 0)}\n`
}

/** Deeper nesting is shown as plain text, because the functions below are recursive. */
export const MAX_DEPTH = 100

/** The text of a node and all below it, without its markup. */
export function plainText(node: Nodes): string {
  let text = ''
  const waiting: Nodes[] = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ('value' in next) text += next.value
    else if (next.type === 'break') text += '\n'
    else if (next.type === 'image' || next.type === 'imageReference') text += next.alt ?? ''
    else if ('children' in next) waiting.push(...[...next.children].reverse())
  }
  return text
}

function blocksOf(node: Nodes, width: number, depth: number): string {
  if (!('children' in node) || depth > MAX_DEPTH) return wrapText(lineOf(node), width)
  const blocks = node.children.map((child) => blockOf(child, width, depth + 1)).filter((block) => block !== '')
  return blocks.join('\n\n')
}

function blockOf(node: Nodes, width: number, depth: number): string {
  switch (node.type) {
    case 'heading':
      return underlined(lineOf(node), node.depth === 1 ? '=' : '-')
    case 'list':
      return listOf(node, width, depth)
    case 'table':
      return tableOf(node)
    case 'blockquote':
      return indented(blocksOf(node, width - 2, depth), '> ', '> ')
    case 'code':
      return indented(printable(node.value), '    ', '    ')
    case 'thematicBreak':
      return '-'.repeat(WIDTH)
    case 'definition':
    case 'footnoteDefinition':
      return ''
    default:
      return wrapText(lineOf(node), Math.max(width, 20))
  }
}

function lineOf(node: Nodes): string {
  return printable(
    withTargets(node)
      .replace(/[^\S\n]+/g, ' ')
      .trim(),
  )
}

/** The text, with the address of each link after it. */
function withTargets(node: Nodes): string {
  if (!('children' in node)) return plainText(node)
  if (!node.children.some((child) => child.type === 'link')) return plainText(node)
  return (node.children as Nodes[])
    .map((child) => {
      const text = plainText(child)
      return child.type === 'link' && text !== child.url ? `${text} (${child.url})` : text
    })
    .join('')
}

function underlined(text: string, rule: string): string {
  return `${text}\n${rule.repeat(Math.min(WIDTH, textWidth(text)))}`
}

function listOf(list: List, width: number, depth: number): string {
  const first = list.start ?? 1
  const entries = list.children.map((item, i) => {
    const mark = list.ordered ? `${first + i}. ` : '- '
    const task = item.checked === null || item.checked === undefined ? '' : item.checked ? '[x] ' : '[ ] '
    return indented(task + blocksOf(item, width - mark.length, depth), mark, ' '.repeat(mark.length))
  })
  const hasParagraphs = list.children.some(
    ({ children }) => children.filter(({ type }) => type === 'paragraph').length > 1,
  )
  return entries.join(hasParagraphs ? '\n\n' : '\n')
}

function indented(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, i) => `${i === 0 ? first : others}${line}`.trimEnd())
    .join('\n')
}

/** As wide as its cells, which are not wrapped. */
function tableOf({ children: rows }: Table): string {
  const cells = rows.map((row) => row.children.map((cell) => lineOf(cell)))
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => textWidth(row[column] ?? ''))))
  const lines = cells.map((row) =>
    widths
      .map((width, column) => (row[column] ?? '') + ' '.repeat(width - textWidth(row[column] ?? '')))
      .join('  ')
      .trimEnd(),
  )
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
