import type { BlockContent, DefinitionContent, List, ListItem, PhrasingContent, Root, RootContent } from 'mdast'
import { treeToMarkdown } from './html-to-markdown'
import { BOXES } from './markdown-to-html'
import { MENTION_SCHEME } from './mentions'

/** A node of the Atlassian Document Format, from outside: any part can be missing. */
export interface AdfNode {
  type: string
  text?: string
  attrs?: Record<string, unknown>
  marks?: { type: string; attrs?: Record<string, unknown> }[]
  content?: AdfNode[]
}

/** Nodes nested more deeply are reduced to their text. */
const MAX_LEVELS = 40
/** Larger tables become paragraphs, because a few long rows would make a cell of each of many short ones. */
const MAX_CELLS = 50_000

/** Converts a document of Atlassian to Markdown. A node that Markdown does not have becomes text that says the same. */
export function adfToMarkdown(document: unknown): string {
  if (typeof document === 'string') return document
  return treeToMarkdown({ type: 'root', children: toBlocks(childrenOf(document), 0) })
}

export function adfBlockToMarkdown(node: AdfNode): string {
  return treeToMarkdown({ type: 'root', children: toBlocks([node], 0) } satisfies Root)
}

/** The attributes; none if they are not an object. */
function attrsOf({ attrs }: AdfNode): Record<string, unknown> {
  return typeof attrs === 'object' && attrs !== null ? attrs : {}
}

export function childrenOf(node: unknown): AdfNode[] {
  const content = (node as Partial<AdfNode> | null)?.content
  return Array.isArray(content) ? content.filter((one) => typeof one?.type === 'string') : []
}

const INLINE = new Set([
  'text',
  'hardBreak',
  'mention',
  'emoji',
  'date',
  'status',
  'inlineCard',
  'mediaInline',
  'placeholder',
])

function toBlocks(nodes: readonly AdfNode[], level: number): RootContent[] {
  if (level > MAX_LEVELS) return [paragraph([text(nodes.map(textOf).join(' '))])]
  return nodes.flatMap((node) => toBlock(node, level + 1))
}

function toBlock(node: AdfNode, level: number): RootContent[] {
  const { type } = node
  const attrs = attrsOf(node)
  const content = childrenOf(node)
  if (type === 'paragraph') return [paragraph(toInlineNodes(content))]
  if (type === 'heading') {
    const depth = Math.min(6, Math.max(1, Number(attrs['level']) || 1)) as 1
    return [{ type: 'heading', depth, children: toInlineNodes(content) }]
  }
  if (type === 'codeBlock') {
    const language = attrs['language']
    return [{ type: 'code', lang: typeof language === 'string' && language ? language : null, value: textOf(node) }]
  }
  if (type === 'rule') return [{ type: 'thematicBreak' }]
  if (type === 'bulletList' || type === 'orderedList' || type === 'taskList' || type === 'decisionList')
    return [toList(node, level)]
  if (type === 'table') return toTable(content)
  if (type === 'blockquote' || type === 'panel') {
    return [{ type: 'blockquote', children: toBlocks(content, level) as BlockContent[] }]
  }
  if (type === 'blockCard' || type === 'embedCard') return [paragraph(toInlineNodes([{ ...node, type: 'inlineCard' }]))]
  if (type === 'media') return [paragraph([toMedia(node)])]
  if (INLINE.has(type)) return [paragraph(toInlineNodes([node]))]
  const title = typeof attrs['title'] === 'string' ? attrs['title'] : ''
  const heading = title === '' ? [] : [paragraph([{ type: 'strong', children: [text(title)] }])]
  // What is not known shows its content.
  const shown = content.every((child) => INLINE.has(child.type))
    ? [paragraph(toInlineNodes(content))]
    : toBlocks(content, level)
  return [...heading, ...shown]
}

function toList(node: AdfNode, level: number): List {
  const isOrdered = node.type === 'orderedList'
  const children: ListItem[] = []
  for (const item of childrenOf(node)) {
    // A list of tasks in a list of tasks is beside the task that it belongs to.
    if (item.type === 'taskList' && children.length > 0) {
      const inner = level < MAX_LEVELS ? toList(item, level + 1) : paragraph([text(textOf(item))])
      children.at(-1)!.children.push(inner as BlockContent)
      continue
    }
    const content = childrenOf(item)
    const isInline = content.every((child) => INLINE.has(child.type))
    const blocks = isInline ? [paragraph(toInlineNodes(content))] : toBlocks(content, level)
    const { state } = attrsOf(item)
    const checked = item.type === 'taskItem' ? state === 'DONE' : readBox(blocks)
    children.push({ type: 'listItem', checked, children: blocks as (BlockContent | DefinitionContent)[] })
  }
  const order = Number(attrsOf(node)['order'] ?? 1)
  const start = isOrdered ? (Number.isInteger(order) && order >= 0 ? order : 1) : null
  return { type: 'list', ordered: isOrdered, start, children }
}

/** Takes the character of a checkbox from the beginning of an item. */
function readBox([first]: RootContent[]): boolean | null {
  const start = first?.type === 'paragraph' ? first.children[0] : undefined
  if (start?.type !== 'text') return null
  const [box] = start.value
  if ((box !== BOXES.checked && box !== BOXES.open) || start.value[1] !== ' ') return null
  start.value = start.value.slice(2)
  return box === BOXES.checked
}

/** Cells of Markdown have one line, so blocks in a cell follow each other. */
function toTable(rows: readonly AdfNode[]): RootContent[] {
  const cells = rows.map((row) => childrenOf(row).map((cell) => toCell(childrenOf(cell))))
  if (cells.length === 0) return []
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0)
  if (width * cells.length > MAX_CELLS)
    return cells.map((row) => paragraph(row.flatMap((cell) => [...cell, text(' ')])))
  const children = cells.map((row) => ({
    type: 'tableRow' as const,
    children: Array.from({ length: width }, (_, i) => ({ type: 'tableCell' as const, children: row[i] ?? [] })),
  }))
  return [{ type: 'table', align: [], children }]
}

function toCell(blocks: readonly AdfNode[]): PhrasingContent[] {
  return blocks.flatMap((block, index) => {
    const separator = index === 0 ? [] : [text(' ')]
    const inline = block.type === 'paragraph' || block.type === 'heading' ? toInlineNodes(childrenOf(block)) : null
    const shown = inline ?? [block.type === 'codeBlock' ? code(textOf(block)) : text(textOf(block))]
    return [...separator, ...shown.map((node) => (node.type === 'break' ? text(' ') : node))]
  })
}

export function toInlineNodes(nodes: readonly AdfNode[]): PhrasingContent[] {
  return mergeMarks(nodes.flatMap(toPhrasing))
}

function toPhrasing(node: AdfNode): PhrasingContent[] {
  const { type } = node
  const attrs = attrsOf(node)
  const string = (name: string) => (typeof attrs[name] === 'string' ? (attrs[name] as string) : '')
  if (type === 'text') return withMarks(node)
  if (type === 'hardBreak') return [{ type: 'break' }]
  if (type === 'mention') {
    const name = string('text') || string('id')
    const label = name.startsWith('@') ? name : `@${name}`
    return [{ type: 'link', url: `${MENTION_SCHEME}${string('id')}`, children: [text(label)] }]
  }
  if (type === 'emoji') return [text(string('text') || string('shortName'))]
  if (type === 'status' || type === 'placeholder') return [text(string('text'))]
  if (type === 'date') {
    const at = Number(attrs['timestamp'])
    return [text(Number.isFinite(at) && Math.abs(at) < 8e15 ? new Date(at).toISOString().slice(0, 10) : '')]
  }
  if (type === 'inlineCard') {
    const url = string('url')
    return url === '' ? [] : [{ type: 'link', url, children: [text(url)] }]
  }
  if (type === 'mediaInline') return [toMedia(node)]
  return [text(textOf(node))]
}

/** A file has no address, so its name remains. */
function toMedia(node: AdfNode): PhrasingContent {
  const attrs = attrsOf(node)
  const alt = typeof attrs['alt'] === 'string' ? attrs['alt'] : ''
  const { url } = attrs
  return typeof url === 'string' ? { type: 'image', url, alt } : text(`[${alt || 'attachment'}]`)
}

function withMarks(node: AdfNode): PhrasingContent[] {
  const value = typeof node.text === 'string' ? node.text : ''
  const marks = (Array.isArray(node.marks) ? node.marks : []).filter((mark) => typeof mark?.type === 'string')
  const has = (type: string) => marks.some((mark) => mark.type === type)
  const href = marks.find(({ type }) => type === 'link')?.attrs?.['href']
  if (value === '') return []
  if (has('code')) return withLink([code(value)], href)
  const inner = value.trim()
  const before = value.slice(0, value.length - value.trimStart().length)
  const after = value.slice(value.trimEnd().length)
  const isMarked = has('strike') || has('em') || has('strong')
  if (!isMarked || inner === '') return withLink([text(value)], href)
  let nodes: PhrasingContent[] = [text(inner)]
  if (has('strike')) nodes = [{ type: 'delete', children: nodes }]
  if (has('em')) nodes = [{ type: 'emphasis', children: nodes }]
  if (has('strong')) nodes = [{ type: 'strong', children: nodes }]
  return [...(before ? [text(before)] : []), ...withLink(nodes, href), ...(after ? [text(after)] : [])]
}

function withLink(children: PhrasingContent[], href: unknown): PhrasingContent[] {
  return typeof href === 'string' ? [{ type: 'link', url: href, children: children as never }] : children
}

/** Joins neighbours with the same mark, which Markdown could not tell apart. */
function mergeMarks(nodes: PhrasingContent[]): PhrasingContent[] {
  const merged: PhrasingContent[] = []
  for (const node of nodes) {
    const last = merged.at(-1)
    if (last?.type === 'text' && node.type === 'text') last.value += node.value
    else if (last && isSameMark(last, node) && 'children' in last && 'children' in node)
      last.children = mergeMarks([...last.children, ...node.children] as PhrasingContent[]) as never
    else merged.push(node)
  }
  return merged
}

function isSameMark(a: PhrasingContent, b: PhrasingContent): boolean {
  if (a.type === 'link' && b.type === 'link') return a.url === b.url && !a.url.startsWith(MENTION_SCHEME)
  return a.type === b.type && ['strong', 'emphasis', 'delete'].includes(a.type)
}

function textOf(node: AdfNode): string {
  let shown = ''
  const rest = [node]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    shown += next.type === 'hardBreak' ? '\n' : typeof next.text === 'string' ? next.text : ''
    rest.push(...childrenOf(next).reverse())
  }
  return shown
}

const text = (value: string): PhrasingContent & { type: 'text' } => ({ type: 'text', value })
const code = (value: string): PhrasingContent => ({ type: 'inlineCode', value: value.replace(/(?<!\s)\s*\n\s*/g, ' ') })
const paragraph = (children: PhrasingContent[]): RootContent => ({ type: 'paragraph', children })
