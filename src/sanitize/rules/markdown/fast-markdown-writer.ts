import type { List, Nodes, PhrasingContent, RootContent, Table } from 'mdast'
import { writeFence } from '../../../rich-text'
import { type TextPlace, writeSimpleText } from './fast-text-writer'
import { writeDelimiterRow } from './table'

/** Matches addresses that need no escape in either kind of brackets. */
const SIMPLE_URL = /^https?:\/\/(?:[\w.~:/?#@!$',=%+-]|&(?![#\w]{1,40};)|;)+$/

/** Matches a character before emphasis that lets the emphasis open. */
const BEFORE_EMPHASIS = /[\s(/"–—-]$/
const AFTER_EMPHASIS = /^[\s.,:;?!)/"–—-]/

/**
 * Writes a block of a clean tree as Markdown if the result certainly reads back as the same block. Returns null otherwise. The
 * result equals that of `writeMarkdown`, except that it may contain more escapes. For most text this avoids reading the result
 * back, which is by far the most expensive step. It covers escaped text, emphasis that is surrounded by spaces and not nested,
 * simple links, and blocks in their usual order.
 */
export function writeSimpleBlock(block: RootContent): string | null {
  switch (block.type) {
    case 'paragraph':
      return writeInlines(block.children, 'line start')
    case 'heading': {
      const content = writeInlines(block.children, 'within a line')
      return content === null || content.endsWith('#') ? null : `${'#'.repeat(block.depth)} ${content}`
    }
    case 'code':
      return writeFence(block.lang ?? '', block.value)
    case 'thematicBreak':
      return '---'
    case 'blockquote':
      return writeSimpleBlocks(block.children)?.replace(/^(?=(.?))/gm, (_start, first) => (first ? '> ' : '>')) ?? null
    case 'list':
      return writeList(block)
    case 'table':
      return writeTable(block)
    default:
      return null
  }
}

/** Writes several blocks. Returns null if one block, or two adjacent blocks, may not read back the same. */
export function writeSimpleBlocks(blocks: readonly RootContent[], separator = '\n\n'): string | null {
  if (blocks.some((block, index) => isSameListContinued(block, blocks[index - 1]))) return null
  return joinUnlessNull(blocks.map(writeSimpleBlock), separator)
}

/** Returns whether Markdown reads two adjacent lists of one kind as one list. */
export function isSameListContinued(block: RootContent, before: RootContent | undefined): boolean {
  return block.type === 'list' && before?.type === 'list' && block.ordered === before.ordered
}

function writeList({ children, ordered, start, spread }: List): string | null {
  const items = children.map((item, index) => {
    if (item.children[0]?.type !== 'paragraph' || (!item.spread && item.children.length > 2)) return null
    const content = writeSimpleBlocks(item.children, item.spread ? '\n\n' : '\n')
    if (content === null) return null
    const marker = ordered ? `${(start ?? 1) + index}. ` : '- '
    const box = typeof item.checked === 'boolean' ? (item.checked ? '[x] ' : '[ ] ') : ''
    return marker + box + content.replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length)}`)
  })
  return joinUnlessNull(items, spread ? '\n\n' : '\n')
}

function writeTable({ align, children }: Table): string | null {
  const rows = children.map((row) => {
    const cells = joinUnlessNull(
      row.children.map((cell) => writeInlines(cell.children, 'cell')),
      ' | ',
    )
    return cells === null ? null : `| ${cells} |`
  })
  return joinUnlessNull([...rows.slice(0, 1), writeDelimiterRow(align ?? []), ...rows.slice(1)], '\n')
}

function writeInlines(nodes: readonly PhrasingContent[], place: TextPlace): string | null {
  return joinUnlessNull(
    nodes.map((node, index) => writeInline(node, nodes[index - 1], nodes[index + 1], place)),
    '',
  )
}

function writeInline(
  node: PhrasingContent,
  before: Nodes | undefined,
  after: Nodes | undefined,
  place: TextPlace,
): string | null {
  switch (node.type) {
    case 'text': {
      if (before?.type === 'text' || (after?.type === 'link' && /[!\]]$/.test(node.value))) return null
      const isWithin = place === 'line start' && before && before.type !== 'break'
      return writeSimpleText(node.value, isWithin ? 'within a line' : place)
    }
    case 'inlineCode':
      return /`|^\s|\s$/.test(node.value) || (place === 'cell' && node.value.includes('|')) ? null : `\`${node.value}\``
    case 'break':
      return place === 'cell' ? '<br>' : '\\\n'
    case 'link':
      return writeLink(node)
    case 'emphasis':
    case 'strong':
    case 'delete':
      return isSurroundedBySpace(before, after) ? writeMarked(marks[node.type], node.children, place) : null
    default:
      return null
  }
}

const marks = { emphasis: '*', strong: '**', delete: '~~' } as const

/** Returns whether neither a letter nor another mark is next to the marks. */
function isSurroundedBySpace(before: Nodes | undefined, after: Nodes | undefined): boolean {
  const isBoundary = (node: Nodes | undefined) => !node || node.type === 'break' || node.type === 'inlineCode'
  return (
    (isBoundary(before) || (before?.type === 'text' && BEFORE_EMPHASIS.test(before.value))) &&
    (isBoundary(after) || (after?.type === 'text' && AFTER_EMPHASIS.test(after.value)))
  )
}

/** Writes marked text, code and links. Returns null for nested emphasis, which `writeMarkdown` handles. */
function writeMarked(mark: string, children: readonly PhrasingContent[], place: TextPlace): string | null {
  if (children.some(({ type }) => type !== 'text' && type !== 'inlineCode' && type !== 'link')) return null
  const content = writeInlines(children, place === 'line start' ? 'within a line' : place)
  return content === null ? null : mark + content + mark
}

/** Writes a link as a bare address, or with separate text. */
function writeLink({ url, children }: Extract<Nodes, { type: 'link' }>): string | null {
  const [label, ...more] = children
  if (!SIMPLE_URL.test(url) || label?.type !== 'text' || more.length > 0) return null
  if (label.value === url) return `<${url}>`
  const written = writeSimpleText(label.value, 'label')
  return written === null ? null : `[${written}](${url})`
}

function joinUnlessNull(parts: readonly (string | null)[], separator: string): string | null {
  return parts.includes(null) ? null : parts.join(separator)
}
