import type { List, Table } from 'mdast'
import { textWidth } from '../../fold'
import { fold, printable } from '../../layout'
import { MAX_DEPTH, type MarkdownNode, markdownTree, plainText } from './markdown-tree'

/** Columns of a mail that nobody's reader folds anew. */
const WIDTH = 78

/** Markdown as plain text for a mail: headings underlined, tables in columns, all else folded. */
export function renderMarkdownPlain(markdown: string): string {
  return `${blocksOf(markdownTree(markdown), WIDTH, 0)}\n`
}

function blocksOf(node: MarkdownNode, width: number, depth: number): string {
  if (!('children' in node) || depth > MAX_DEPTH) return fold(lineOf(node), width)
  const blocks = node.children.map((child) => blockOf(child, width, depth + 1)).filter((block) => block !== '')
  return blocks.join('\n\n')
}

function blockOf(node: MarkdownNode, width: number, depth: number): string {
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
      return fold(lineOf(node), Math.max(width, 20))
  }
}

function lineOf(node: MarkdownNode): string {
  return printable(
    withTargets(node)
      .replace(/[^\S\n]+/g, ' ')
      .trim(),
  )
}

/** A link's text says nothing of where it leads. */
function withTargets(node: MarkdownNode): string {
  if (!('children' in node)) return plainText(node)
  if (!node.children.some((child) => child.type === 'link')) return plainText(node)
  return (node.children as MarkdownNode[])
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
  return entries.join(list.spread ? '\n\n' : '\n')
}

function indented(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, i) => `${i === 0 ? first : others}${line}`.trimEnd())
    .join('\n')
}

/** As wide as it must be: a cell is not folded. */
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
