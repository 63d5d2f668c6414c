import type { BlockContent, Code, List, ListItem, PhrasingContent, RootContent, Table, TableCell } from 'mdast'
import { asInlines, cleanCharacters, type Inline, isInline, limits, text, textOf, trimCode } from '../../../rich-text'
import { findTokens } from '../redact/tokens'
import type { Tally } from '../removal'
import { dropCaptions } from './captions'
import { cleanInlines, type TreeRules } from './inline'

/** A block of a clean document. */
export type Block = BlockContent

/** Returns the clean blocks of a document, a quote or a list item. None is empty, and Markdown reads back each as the same kind. */
export function cleanBlocks(nodes: readonly RootContent[], rules: TreeRules, level = 0): Block[] {
  const result: Block[] = []
  const inlines: PhrasingContent[] = []
  const paragraph = () => result.push(...cleanParagraph(inlines.splice(0), rules))
  for (const node of dropCaptions(nodes)) {
    if (isInline(node)) {
      inlines.push(node)
      continue
    }
    paragraph()
    const blocks = level === 0 && rules.isClean?.(node) ? [node as Block] : cleanBlock(node, rules, level)
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

function cleanBlock(node: RootContent, rules: TreeRules, level: number): Block[] {
  switch (node.type) {
    case 'paragraph':
      return node.children.every(isInline)
        ? cleanParagraph(node.children, rules)
        : cleanBlocks(node.children, rules, level)
    case 'heading': {
      const children = joinLines(cleanInlines(asInlines(node.children), rules), 'breaks too')
      const [only] = children
      const bare = children.length === 1 && only?.type === 'strong' ? only.children : children
      return children.length > 0 ? [{ type: 'heading', depth: node.depth, children: bare }] : []
    }
    case 'code':
      return cleanCode(node, rules.tally)
    case 'thematicBreak':
      return [{ type: 'thematicBreak' }]
    case 'blockquote':
    case 'list':
      if (level >= limits.blockLevels) {
        rules.tally.add('too-deep')
        return cleanParagraph([text(textOf([node]))], rules)
      }
      if (node.type === 'list') return cleanList(node, rules, level + 1)
      return nonEmpty({ type: 'blockquote', children: cleanBlocks(node.children, rules, level + 1) })
    case 'table':
      return cleanTable(node, rules)
    case 'debris':
      rules.tally.add(node.kind)
      return []
    default:
      return 'children' in node ? cleanBlocks(node.children as RootContent[], rules, level) : []
  }
}

/** Cleans a paragraph, and splits it at two consecutive line breaks. */
function cleanParagraph(nodes: readonly PhrasingContent[], rules: TreeRules): Block[] {
  const parts: Inline[][] = [[]]
  const children = cleanInlines(dropContentsMacro(nodes, rules.tally), rules)
  for (const [index, node] of children.entries()) {
    if (node.type !== 'break' || (children[index - 1]?.type !== 'break' && children[index + 1]?.type !== 'break')) {
      parts.at(-1)?.push(node)
    } else if (children[index + 1]?.type !== 'break') parts.push([])
  }
  return parts.flatMap((part) => nonEmpty({ type: 'paragraph', children: part }))
}

/**
 * Removes `[[_TOC_]]` and `[[_TOSP_]]` from lines of their own, where the tracker's wiki shows a table of contents. Markdown parses
 * the letters between the underscores as emphasis.
 */
function dropContentsMacro(nodes: readonly PhrasingContent[], tally: Tally): readonly PhrasingContent[] {
  let [head] = nodes
  let next = 1
  for (; head?.type === 'text'; tally.add('metadata')) {
    const [macro] = /^\s*\[\[_TO(?:C|SP)_\]\](?=\s*(?:\n|$))/.exec(head.value) ?? []
    const [second, third] = nodes.slice(next, next + 2)
    if (macro && (head.value.length > macro.length || !second || second.type === 'break')) {
      head = text(head.value.slice(macro.length).trimStart())
    } else if (
      head.value.trim() === '[[' &&
      second?.type === 'emphasis' &&
      /^TO(?:C|SP)$/.test(textOf(second.children)) &&
      third?.type === 'text' &&
      /^\]\]\s*(?:\n|$)/.test(third.value)
    ) {
      head = text(third.value.slice(2).trimStart())
      next += 2
    } else break
  }
  return head ? [head, ...nodes.slice(next)] : nodes
}

/** Joins lines, because neither a heading nor a cell may contain a line end. A cell may contain breaks. */
function joinLines(nodes: readonly Inline[], which: 'line ends' | 'breaks too'): Inline[] {
  return nodes.map((node) => {
    if (node.type === 'text') return text(node.value.replace(/\n/g, ' '))
    if (node.type === 'break' && which === 'breaks too') return text(' ')
    return 'children' in node ? ({ ...node, children: joinLines(node.children as Inline[], which) } as Inline) : node
  })
}

function cleanCode(node: Code, tally: Tally): Block[] {
  const clean = cleanCharacters(node.value, 'keep')
  tally.add('invisible-character', clean.invisible)
  const value = trimCode(clean.text)
  const lang = cleanLanguage(node, tally)
  return value === '' ? [] : [{ type: 'code', lang, meta: null, value }]
}

/** Returns the language if it is a valid name. A token may have the same form. */
function cleanLanguage({ lang }: Code, tally: Tally): string | null {
  if (!lang || !/^[\w+#.-]{1,40}$/.test(lang)) return null
  if (findTokens(lang).length === 0) return lang
  tally.add('token')
  return null
}

function cleanList(node: List, rules: TreeRules, level: number): Block[] {
  const items: ListItem[] = []
  for (const item of node.children) {
    const children = cleanBlocks(item.children, rules, level)
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

/** Cleans a table. Its first row is the header, because GFM requires one. Short rows are padded. */
function cleanTable(node: Table, rules: TreeRules): Block[] {
  const rows = node.children
    .map((row) => row.children.map((cell) => cellOf(cell, rules)))
    .filter((cells) => cells.some((cell) => cell.children.length > 0))
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (columns === 0) return []
  if (columns * rows.length > limits.tableCells) {
    rules.tally.add('too-large')
    return rows.flatMap((cells) => nonEmpty({ type: 'paragraph', children: inALine(cells) }))
  }
  const full = rows.map((cells) => [...cells, ...emptyCells(columns - cells.length)])
  const align = Array.from({ length: columns }, (_, column) => node.align?.[column] ?? null)
  return [{ type: 'table', align, children: full.map((children) => ({ type: 'tableRow' as const, children })) }]
}

function cellOf(cell: TableCell, rules: TreeRules): TableCell {
  return {
    type: 'tableCell',
    children: joinLines(cleanInlines(asInlines(cell.children as RootContent[]), rules), 'line ends'),
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
