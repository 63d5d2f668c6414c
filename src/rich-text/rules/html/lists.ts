import type { List, ListItem, RootContent } from 'mdast'
import { isShown, linesOf } from '../tree/nodes'
import { attribute, type Element } from './parse'
import type { Appearance } from './style'
import { wrapInParagraphs } from './wrap'

declare module 'mdast' {
  interface ListItemData {
    /** The level of an item outside of a list, as office programs write it. */
    level?: number | undefined
    ordered?: boolean
    start?: number
    /** The item is a term, which its definition follows. */
    isTerm?: boolean
  }
}

const BULLETS = '·•●○▪■□◦‣⁃§Øüvoà–—*\\-\uf0a7\uf0b7\uf0d8\uf0fc\uf076'
const NUMBER = /^\(?(?:(\d{1,4})|[a-zA-Z]|[ivxIVX]{1,5})[.)]$/
/**
 * Matches a bullet or number and the spaces with which Word fills the indent. At least two spaces are required, because a single
 * one also follows a word.
 */
const WRITTEN_MARKER = new RegExp(
  `^\\s*([${BULLETS}]|\\(?(?:\\d{1,4}|[a-zA-Z]|[ivxIVX]{1,5})[.)])(?:\\s{2,}|\\u00a0|$)`,
)

const MAX_LEVELS = 9
/** Word indents each level by half an inch. */
const POINTS_PER_LEVEL = 36

/**
 * Reads a paragraph whose bullet or number is text, because Word writes list items this way. Returns an item that `groupListItems`
 * combines with its neighbours, or null if the paragraph is not a list item.
 */
export function readOfficeItem(
  paragraph: Element,
  look: Appearance,
  children: RootContent[],
  ignored: string | null,
): ListItem | null {
  const classes = attribute(paragraph, 'class')
  // Other programs write Word's paragraphs without its list declarations.
  const isIndented = classes.includes('Mso') && look.marginLeft > 0 && WRITTEN_MARKER.test(linesOf(children))
  const isListClass = classes.includes('MsoListParagraph') || isIndented
  if (!isListClass && look.officeListLevel === null) return null
  const marker = (ignored ?? WRITTEN_MARKER.exec(linesOf(children))?.[1] ?? '').trim()
  if (marker === '' && look.officeListLevel === null) return null
  const number = NUMBER.exec(marker)
  const level = look.officeListLevel ?? Math.round(look.marginLeft / POINTS_PER_LEVEL)
  return {
    type: 'listItem',
    data: { level: Math.max(level, 1), ordered: number !== null, start: Number(number?.[1] ?? 1) },
    children: dropStart(children, marker.replace(/\s/g, '').length).rest as ListItem['children'],
  }
}

/** Removes the first `count` characters other than whitespace, and the whitespace around them. */
function dropStart(nodes: readonly RootContent[], count: number): { rest: RootContent[]; left: number } {
  let left = count
  for (const [index, node] of nodes.entries()) {
    if ('value' in node) {
      let at = 0
      while (at < node.value.length && (left > 0 || /\s/.test(node.value[at] ?? ''))) {
        if (/\S/.test(node.value[at] ?? '')) left--
        at++
      }
      if (at < node.value.length)
        return { rest: [{ ...node, value: node.value.slice(at) } as RootContent, ...nodes.slice(index + 1)], left }
    } else if ('children' in node) {
      const inner = dropStart(node.children, left)
      left = inner.left
      if (inner.rest.length > 0)
        return { rest: [{ ...node, children: inner.rest } as RootContent, ...nodes.slice(index + 1)], left }
    } else if (isShown(node)) return { rest: nodes.slice(index), left }
  }
  return { rest: [], left }
}

/** Groups items outside of lists into lists, nested by level. */
export function groupListItems(nodes: readonly RootContent[]): RootContent[] {
  const result: RootContent[] = []
  let items: ListItem[] = []
  const close = () => {
    result.push(...nestItems(items))
    items = []
  }
  for (const node of wrapInParagraphs(nodes)) {
    if (node.type === 'listItem') items.push(node)
    else if (node.type === 'list' && isByLevel(node)) items.push(...toLevelItems(node))
    else {
      close()
      result.push(node)
    }
  }
  close()
  return result
}

/** Returns whether the level of a list is in an attribute, because Word on the web writes each item as a separate list. */
function isByLevel({ children }: List): boolean {
  return children.length > 0 && children.every(({ data }) => data?.level)
}

function toLevelItems({ children, ordered, start }: List): ListItem[] {
  return children.map((item) => ({ ...item, data: { ...item.data, ordered: ordered === true, start: start ?? 1 } }))
}

function nestItems(items: readonly ListItem[]): List[] {
  const roots: List[] = []
  const open: { level: number; list: List }[] = []
  for (const { data, ...item } of items) {
    const level = Math.min(data?.level || 1, MAX_LEVELS)
    const ordered = data?.ordered === true
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level) open.pop()
    const top = open.at(-1)
    if (top && top.level === level && top.list.ordered !== ordered) open.pop()
    if (open.at(-1)?.level !== level) {
      const list: List = { type: 'list', ordered, start: ordered ? data?.start : null, children: [] }
      const parent = open.at(-1)?.list.children.at(-1)
      if (parent) parent.children = [...wrapInParagraphs(parent.children), list] as ListItem['children']
      else roots.push(list)
      open.push({ level, list })
    }
    open.at(-1)?.list.children.push(item)
  }
  return roots
}

/** Returns the items of a list element. A list directly within a list belongs to the item before it. */
export function collectListItems(children: readonly RootContent[]): ListItem[] {
  const items: ListItem[] = []
  for (const child of children) {
    const last = items.at(-1)
    if (child.type === 'listItem') items.push(child)
    else if (child.type === 'list' && last)
      last.children = [...wrapInParagraphs(last.children), child] as ListItem['children']
    else if (isShown(child)) items.push({ type: 'listItem', children: [child] as ListItem['children'] })
  }
  return items
}

/** Combines a term and its definition in one list item. */
export function groupDefinitions(children: readonly RootContent[]): ListItem[] {
  const items: ListItem[] = []
  for (const { ...child } of wrapInParagraphs(children)) {
    const last = items.at(-1)
    if (child.type === 'listItem' && child.data?.isTerm) items.push(child)
    else if (last) last.children.push(child as ListItem['children'][number])
    else items.push({ type: 'listItem', children: [child] as ListItem['children'] })
  }
  return items
}
