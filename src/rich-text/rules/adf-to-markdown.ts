import type { BlockContent, List, ListItem, PhrasingContent, Root, RootContent, TableCell } from 'mdast'
import { takeCheckbox } from './html/checkbox'
import { writeMarkdown } from './markdown/write'
import { normalize } from './tree/blocks'
import { text } from './tree/nodes'

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

/** Converts a document of Atlassian to Markdown. A node that Markdown does not have becomes text that says the same. */
export function adfToMarkdown(document: unknown): string {
  return typeof document === 'string' ? document : writeMarkdown(readAdf(document))
}

/** Reads a document of Atlassian. */
export function readAdf(document: unknown): Root {
  return normalize(toBlocks(childrenOf(document), 0))
}

/** The attributes; none if they are not an object. */
function attrsOf({ attrs }: AdfNode): Record<string, unknown> {
  return typeof attrs === 'object' && attrs !== null ? attrs : {}
}

export function childrenOf(node: unknown): AdfNode[] {
  const content = (node as Partial<AdfNode> | null)?.content
  return Array.isArray(content) ? content.filter((one) => typeof one?.type === 'string') : []
}

/** Types of nodes that are words or are between words. */
export const INLINE = new Set([
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
  if (type === 'table') return toTable(content, level)
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
    const { checked, rest } = takeCheckbox(isInline ? toInlineNodes(content) : toBlocks(content, level))
    const isDone = item.type === 'taskItem' ? attrsOf(item)['state'] === 'DONE' : checked
    children.push({ type: 'listItem', checked: isDone, children: rest as ListItem['children'] })
  }
  const order = Number(attrsOf(node)['order'] ?? 1)
  const start = isOrdered ? (Number.isInteger(order) && order >= 0 ? order : 1) : null
  return { type: 'list', ordered: isOrdered, start, children }
}

/** Cells of Markdown have one line, so blocks in a cell follow each other there. */
function toTable(rows: readonly AdfNode[], level: number): RootContent[] {
  const children = rows.map((row) => ({
    type: 'tableRow' as const,
    children: childrenOf(row).map((cell) => ({
      type: 'tableCell' as const,
      children: toBlocks(childrenOf(cell), level) as unknown as TableCell['children'],
    })),
  }))
  return [{ type: 'table', align: [], children }]
}

export function toInlineNodes(nodes: readonly AdfNode[]): PhrasingContent[] {
  return nodes.flatMap(toPhrasing)
}

function toPhrasing(node: AdfNode): PhrasingContent[] {
  const { type } = node
  const attrs = attrsOf(node)
  const string = (name: string) => (typeof attrs[name] === 'string' ? (attrs[name] as string) : '')
  if (type === 'text') return withMarks(node)
  if (type === 'hardBreak') return [{ type: 'break' }]
  if (type === 'mention') {
    const name = (string('text') || string('id')).replace(/^@/, '')
    return [{ type: 'mention', account: string('id') || null, name }]
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
  let nodes: PhrasingContent[] = has('code') ? [code(value)] : [text(value)]
  if (has('strike')) nodes = [{ type: 'delete', children: nodes }]
  if (has('em')) nodes = [{ type: 'emphasis', children: nodes }]
  if (has('strong')) nodes = [{ type: 'strong', children: nodes }]
  return typeof href === 'string' ? [{ type: 'link', url: href, children: nodes as never }] : nodes
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

const code = (value: string): PhrasingContent => ({ type: 'inlineCode', value: value.replace(/(?<!\s)\s*\n\s*/g, ' ') })
const paragraph = (children: PhrasingContent[]): RootContent => ({ type: 'paragraph', children })
