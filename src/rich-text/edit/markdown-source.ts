import type {
  Code,
  Html,
  InlineCode,
  Nodes,
  Parents,
  PhrasingContent,
  RootContent,
  TableCell,
  TableRow,
  Text,
} from 'mdast'
import { isBalanced } from '../rules/markdown/balanced-tags'
import { isHostile } from '../rules/markdown/hostile'
import { Places } from '../rules/markdown/places'
import { parseMarkdownTree } from '../rules/markdown/tree'
import { writeMarkdown } from '../rules/markdown/write'
import { createHtmlFormat } from './html-format'
import { readTags } from './html-source'
import { findLocked } from './shown-source'
import type { Place, SourceFormat, SourceToken } from './source'
import { boxOf, type Mark, splitText } from './tokens'

const KINDS: Readonly<Partial<Record<Nodes['type'], Place['kind']>>> = {
  list: 'list',
  table: 'list',
  listItem: 'item',
  tableRow: 'row',
  tableCell: 'cell',
  paragraph: 'block',
  heading: 'block',
  code: 'block',
  html: 'block',
  blockquote: 'block',
  thematicBreak: 'block',
  footnoteDefinition: 'block',
}

/** Reads the tokens of Markdown with their places. Null if they are not known. */
function readTokens(source: string): SourceToken[] | null {
  if (isHostile(source)) return null
  const places = new Places(source)
  const root = parseMarkdownTree(source, places)
  const tokens: SourceToken[] = []
  let spaced = false
  const add = (token: Omit<SourceToken, 'spaced'>, isSpaced = false) => {
    tokens.push({ ...token, spaced: spaced || isSpaced })
    spaced = false
  }
  const addText = (node: Text | InlineCode | Code, place: Place | null) => {
    const characters = places.get(node)?.characters ?? []
    for (const { key, start, end, spaced: isSpaced } of splitText(node.value, node.type === 'code')) {
      const range = { start: characters[start]!.start, end: characters[end - 1]!.end }
      add({ key, ...range, marks: place?.marks ?? [], place }, isSpaced)
    }
    if (/\s$/.test(node.value) && node.type !== 'code') spaced = true
  }
  const walk = (node: Nodes, parent: Place | null) => {
    const around = parent?.marks ?? []
    if (node.type === 'text') return addText(node, parent)
    const { start, end, inner } = places.get(node)!
    const isInline = parent !== null && (parent.kind === 'inline' || parent.inner !== undefined)
    const kind = isInline ? 'inline' : (KINDS[node.type] ?? 'inline')
    const place: Place = { start, end, kind, marks: [...around, ...marksOf(node)], parent, ...(inner && { inner }) }
    if (node.type === 'html' && !isInline) Object.assign(place, { isHtml: true, isUnbalanced: !isBalanced(node.value) })
    // Nothing can be put between the header of a table and the line below it.
    if (node.type === 'tableRow' && start === parent?.start) place.end = endOfNextLine(source, end)
    if (kind !== 'inline') spaced = false
    if (node.type === 'inlineCode' || node.type === 'code') addText(node, place)
    else if (node.type === 'html') addHtml(node, place)
    else if (node.type === 'break') add({ key: '\n', start, end, marks: around, place })
    else if (node.type === 'thematicBreak') add({ key: '---', start, end, marks: [], place })
    else if (node.type === 'image')
      add({ key: `image ${node.url}`, start, end, marks: around, place: { ...place, kind: 'locked' } })
    else if ('children' in node) {
      if (node.type === 'listItem' && typeof node.checked === 'boolean') addBox(node, place)
      for (const child of (node as Parents).children) walk(child, place)
    }
    if (node.type === 'break' || kind !== 'inline') spaced = false
  }
  /** The tags in a line are nodes of their own, with nothing to show but a break or an image. */
  const addHtml = (node: Html, block: Place) => {
    const characters = places.get(node)?.characters ?? []
    for (const token of readTags(node.value) ?? []) {
      const moved = { start: characters[token.start]!.start, end: characters[token.end - 1]!.end }
      const kind = block.isHtml && !findLocked(token.place) ? 'inline' : 'locked'
      const place: Place = { ...block, ...moved, kind, marks: token.marks ?? [], parent: block, isUnbalanced: false }
      add({ ...token, ...moved, place }, token.spaced)
    }
  }
  const addBox = ({ checked }: { checked?: boolean | null | undefined }, item: Place) => {
    const at = source.slice(item.start, item.end).search(/\[[ \txX]\]/)
    const range = { start: item.start + at, end: item.start + at + 3 }
    if (at >= 0)
      add({
        key: boxOf(checked === true),
        ...range,
        marks: [],
        place: { ...item, ...range, kind: 'locked', parent: item },
      })
    spaced = true
  }
  for (const child of root.children) walk(child, null)
  const isInOrder = tokens.every(({ start, end }, at) => start < end && start >= (tokens[at - 1]?.end ?? 0))
  return isInOrder ? tokens : null
}

function marksOf(node: Nodes): Mark[] {
  if (node.type === 'strong' || node.type === 'emphasis' || node.type === 'delete') return [node.type]
  if (node.type === 'inlineCode') return ['code']
  return node.type === 'link' ? [`link:${node.url}`] : []
}

function endOfNextLine(source: string, at: number): number {
  const end = source.indexOf('\n', source.indexOf('\n', at) + 1)
  return end < 0 ? source.length : end
}

/** What is before a place in its line: the indent and the marks of what it is in. */
function lineStart(source: string, at: number): string {
  return source.slice(source.lastIndexOf('\n', at - 1) + 1, at).replace(/^\ufeff/, '')
}

/** The prefix of further lines: only quotes repeat their mark. */
function continuation(prefix: string): string {
  return prefix.replace(/[^>\s]/g, ' ')
}

function writeBlocks(nodes: readonly RootContent[]): string {
  return writeMarkdown({ type: 'root', children: structuredClone([...nodes]) })
}

function writeBeside(
  node: RootContent,
  { place, source, side }: { place: Place; source: string; side: 'before' | 'after' },
): string {
  if (node.type === 'tableCell') {
    const cell = writeCell(node)
    return side === 'after' ? ` | ${cell} ` : `${cell} | `
  }
  const prefix = continuation(lineStart(source, place.start))
  let lines: string
  let between = '\n\n'
  if (node.type === 'tableRow') {
    lines = `| ${node.children.map(writeCell).join(' | ')} |`
    between = '\n'
  } else if (node.type === 'listItem') {
    // How wide a tab is depends on what is before it.
    const marker =
      /^(?:[-*+]|\d{1,9}[.)]) */.exec(source.slice(place.start, place.end))?.[0].replace(/\S$/, '$& ') ?? '- '
    const written = writeBlocks([{ type: 'list', ordered: false, children: [node] }]).slice('- '.length)
    lines = `${marker}${written.replace(/\n(?: {2})?(?=.)/g, `\n${' '.repeat(marker.length)}`)}`
    between = '\n'
  } else lines = writeBlocks([node])
  const separator = between.replace(/\n(?=\n)/g, `\n${prefix.trimEnd()}`)
  const indented = lines.replace(/\n/g, `\n${prefix}`)
  if (side === 'before') return `${indented}${separator}${prefix}`
  // A block that follows in the next line would continue the new one.
  const isFollowed = between === '\n\n' && /^[ \t]*\n[ \t>]*[^\s>]/.test(source.slice(place.end))
  return `${separator}${prefix}${indented}${isFollowed ? `\n${prefix.trimEnd()}` : ''}`
}

/** A cell has one line, and a bar would end it. */
function writeCell({ children }: TableCell): string {
  const row: TableRow = { type: 'tableRow', children: [{ type: 'tableCell', children: beside(children) }] }
  const [written] = writeBlocks([{ type: 'table', children: [row] }]).split('\n')
  return written!.slice('| x '.length, -' x |'.length)
}

/** Words in the middle of a line are written without what only the start of a line needs. */
function beside(nodes: PhrasingContent[]): PhrasingContent[] {
  return [{ type: 'text', value: 'x ' }, ...nodes, { type: 'text', value: ' x' }]
}

/** Behind a blank line, `[name]: address "title"`, each in its line. */
const DEFINITIONS = /[ \t]*\n[ \t]*(?:\n {0,3}\[[^\]\n]+\]:[^\n]*)+/y

const html = createHtmlFormat([])

function writeInline(nodes: PhrasingContent[], place: Place | null): string {
  if (place?.isHtml) return html.writeInline(nodes, place)
  if (isInCell(place)) return writeCell({ type: 'tableCell', children: nodes })
  return writeBlocks([{ type: 'paragraph', children: beside(nodes) }]).slice(2, -2)
}

function isInCell(place: Place | null): boolean {
  return place !== null && (place.kind === 'cell' || isInCell(place.parent))
}

/** Markdown as GitHub and the Markdown fields of other trackers have it. */
export const markdownFormat: SourceFormat = {
  read: readTokens,
  writeInline,
  writeBlock: (node, beside) => {
    if (beside && beside.place.kind !== 'inline') return writeBeside(node, beside)
    const written = writeBlocks([node])
    if (!beside) return written
    return beside.side === 'after' ? `\n\n${written}` : `${written}\n\n`
  },
  writeCode: (text) => text,
  writeBox: (isChecked) => (isChecked ? '[x]' : '[ ]'),
  widenBlock: (source, { start, end }) => {
    const from = source.lastIndexOf('\n', start - 1) + 1
    // An item or a paragraph in another block leaves what that block needs.
    if (/[^\s>]/.test(source.slice(from, start))) return { start, end }
    let to = end
    while (/[ \t]/.test(source[to] ?? '')) to++
    if (source[to] !== '\n' && to < source.length) return { start, end }
    // The blank line behind the last item of a list separates the list from what follows.
    const isFirst = from === 0 || /^[ \t>]*$/.test(source.slice(source.lastIndexOf('\n', from - 2) + 1, from - 1))
    const blank = (isFirst ? /^\n(?:[ \t>]*\n)*/ : /^\n/).exec(source.slice(to))?.[0].length ?? 0
    if (to + blank < source.length || from === 0) return { start: from, end: to + blank }
    return { start: source.slice(0, from).trimEnd().length, end: to }
  },
  joinLines: (words) => (/(?:\\| {2})\n/.test(words) ? null : words.replace(/(?<![ \t])[ \t]*\n[ \t>]*/g, ' ')),
  separator: '\n\n',
  skipDefinitions: (source, end) => {
    DEFINITIONS.lastIndex = end
    return end + (DEFINITIONS.exec(source)?.[0].length ?? 0)
  },
}
