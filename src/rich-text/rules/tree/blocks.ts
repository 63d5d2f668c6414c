import type { Code, List, ListItem, PhrasingContent, Root, RootContent, Table, TableCell } from 'mdast'
import type { Debris } from '../../model'
import { cleanCharacters, trimCode } from '../characters'
import { note } from '../debris'
import { limits } from '../limits'
import { asInlines } from './flatten-blocks'
import { normalizeInlines } from './inline'
import { type Block, type Inline, isInline, text, textOf } from './nodes'

/** Brings a document into the one form that Markdown reads back unchanged. Debris stays at its end. */
export function normalize(children: readonly RootContent[]): Root {
  const debris: Debris[] = []
  const blocks = normalizeBlocks(children, debris)
  return { type: 'root', children: [...blocks, ...debris] }
}

/**
 * Returns the blocks of a document, a quote or a list item. None is empty, and Markdown reads back each as the same kind.
 * @param isDone whether a block of the document itself needs no further work
 */
export function normalizeBlocks(
  nodes: readonly RootContent[],
  debris: Debris[],
  { level = 0, isDone }: { level?: number; isDone?: (block: RootContent) => boolean } = {},
): Block[] {
  const result: Block[] = []
  const inlines: PhrasingContent[] = []
  const paragraph = () => result.push(...normalizeParagraph(inlines.splice(0), debris))
  for (const node of nodes) {
    if (isInline(node)) {
      inlines.push(node)
      continue
    }
    paragraph()
    const blocks = isDone?.(node) ? [node as Block] : normalizeBlock(node, debris, level)
    for (const block of blocks) push(result, block)
  }
  paragraph()
  return result
}

/** Appends a block. A list directly after another one is merged with it if both have bullets or if its numbers continue. */
function push(result: Block[], block: Block): void {
  const last = result.at(-1)
  const isSame =
    last?.type === 'list' &&
    block.type === 'list' &&
    last.ordered === block.ordered &&
    (!last.ordered || block.start === (last.start ?? 1) + last.children.length)
  if (isSame) result[result.length - 1] = listOf(last, [...last.children, ...block.children])
  else result.push(block)
}

function normalizeBlock(node: RootContent, debris: Debris[], level: number): Block[] {
  switch (node.type) {
    case 'paragraph':
      return node.children.every(isInline)
        ? normalizeParagraph(node.children, debris)
        : normalizeBlocks(node.children, debris, { level })
    case 'heading': {
      const children = normalizeInlines(withoutBreaks(asInlines(node.children)), debris)
      return nonEmpty({ type: 'heading', depth: node.depth, children })
    }
    case 'code':
      return normalizeCode(node, debris)
    case 'thematicBreak':
      return [{ type: 'thematicBreak' }]
    case 'blockquote':
    case 'list':
      if (level >= limits.blockLevels) {
        note(debris, 'too-deep')
        return normalizeParagraph([text(textOf([node]))], debris)
      }
      if (node.type === 'list') return normalizeList(node, debris, level + 1)
      return nonEmpty({ type: 'blockquote', children: normalizeBlocks(node.children, debris, { level: level + 1 }) })
    case 'table':
      return normalizeTable(node, debris)
    case 'debris':
      debris.push(node)
      return []
    default:
      return 'children' in node ? normalizeBlocks(node.children as RootContent[], debris, { level }) : []
  }
}

/** Normalizes a paragraph, and splits it at two consecutive line breaks. */
function normalizeParagraph(nodes: readonly PhrasingContent[], debris: Debris[]): Block[] {
  const parts: Inline[][] = [[]]
  const children = normalizeInlines(nodes, debris)
  for (const [index, node] of children.entries()) {
    if (node.type !== 'break' || (children[index - 1]?.type !== 'break' && children[index + 1]?.type !== 'break')) {
      parts.at(-1)?.push(node)
    } else if (children[index + 1]?.type !== 'break') parts.push([])
  }
  return parts.flatMap((part) => nonEmpty({ type: 'paragraph', children: part }))
}

/** Joins lines, because a heading has one. */
function withoutBreaks(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node) => {
    if (node.type === 'break') return text(' ')
    if (node.type === 'text') return text(node.value.replace(/\n/g, ' '))
    return 'children' in node ? ({ ...node, children: withoutBreaks(node.children) } as PhrasingContent) : node
  })
}

/** Joins lines of text. A cell may contain breaks. */
function withoutLineEnds(nodes: readonly Inline[]): Inline[] {
  return nodes.map((node) => {
    if (node.type === 'text') return text(node.value.replace(/\n/g, ' '))
    return 'children' in node ? ({ ...node, children: withoutLineEnds(node.children as Inline[]) } as Inline) : node
  })
}

/** A language that is not a valid name is left out. */
function normalizeCode({ value: written, lang }: Code, debris: Debris[]): Block[] {
  const clean = cleanCharacters(written, 'keep')
  note(debris, 'invisible-character', clean.invisible)
  const value = trimCode(clean.text)
  const language = lang && /^[\w+#.-]{1,40}$/.test(lang) ? lang : null
  return value === '' ? [] : [{ type: 'code', lang: language, meta: null, value }]
}

function normalizeList(node: List, debris: Debris[], level: number): Block[] {
  const items: ListItem[] = []
  for (const item of node.children) {
    const children = normalizeBlocks(item.children, debris, { level })
    const isTask = typeof item.checked === 'boolean' && children[0]?.type === 'paragraph'
    if (children.length === 0) continue
    items.push({ type: 'listItem', spread: !isTight(children), checked: isTask ? item.checked : null, children })
  }
  if (items.length === 0) return []
  const start = node.ordered ? Math.min(Math.max(Math.trunc(node.start ?? 1), 0), 999_999) : null
  return [listOf({ ...node, ordered: node.ordered ?? false, start }, items)]
}

function listOf({ ordered, start }: List, children: ListItem[]): List {
  return { type: 'list', ordered, start, spread: children.some((item) => item.spread), children }
}

/** Returns whether a list item needs no blank lines. Text and nested lists need none, unless a list does not start at 1. */
function isTight([first, ...rest]: Block[]): boolean {
  return (
    rest.length === 0 ||
    (first?.type === 'paragraph' && rest.every((block) => block.type === 'list' && beginsAtOne(block)))
  )
}

/**
 * Returns whether the block starts with no number other than 1. Some parsers read another number after a line of text as text, even
 * after `- ` or `> `: `- 2. text`.
 */
function beginsAtOne(block: RootContent | undefined): boolean {
  if (block?.type === 'blockquote') return beginsAtOne(block.children[0])
  if (block?.type !== 'list') return true
  return (!block.ordered || block.start === 1) && beginsAtOne(block.children[0]?.children[0])
}

/** Normalizes a table. Its first row is the header, because GFM requires one. Short rows are padded. */
function normalizeTable(node: Table, debris: Debris[]): Block[] {
  const rows = node.children
    .map((row) => row.children.map((cell) => cellOf(cell, debris)))
    .filter((cells) => cells.some((cell) => cell.children.length > 0))
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns === 0) return []
  if (columns * rows.length > limits.tableCells) {
    note(debris, 'too-large')
    return rows.flatMap((cells) => nonEmpty({ type: 'paragraph', children: inALine(cells) }))
  }
  const full = rows.map((cells) => [...cells, ...emptyCells(columns - cells.length)])
  const align = Array.from({ length: columns }, (_, column) => node.align?.[column] ?? null)
  return [{ type: 'table', align, children: full.map((children) => ({ type: 'tableRow' as const, children })) }]
}

function cellOf(cell: TableCell, debris: Debris[]): TableCell {
  return {
    type: 'tableCell',
    children: withoutLineEnds(normalizeInlines(asInlines(cell.children as RootContent[]), debris)),
  }
}

function emptyCells(count: number): TableCell[] {
  return Array.from({ length: count }, () => ({ type: 'tableCell', children: [] }))
}

function inALine(cells: readonly TableCell[]): PhrasingContent[] {
  return cells.flatMap((cell, index) => (index === 0 ? cell.children : [text(' | '), ...cell.children]))
}

function nonEmpty<Node extends Block & { children: unknown[] }>(node: Node): Node[] {
  return node.children.length > 0 ? [node] : []
}
