import { element, isElement, isShown, shownText, wrapInParagraphs } from './build'
import { attribute, type Element, type HtmlNode } from './nodes'
import type { Appearance } from './style'

/** A list item that is identified only by its level, as office programs write it. */
interface LevelItem {
  level: number
  ordered: boolean
  start: number
  children: HtmlNode[]
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
  children: HtmlNode[],
  ignored: string | null,
): Element | null {
  const isListClass = attribute(paragraph, 'class').includes('MsoListParagraph')
  if (!isListClass && look.officeListLevel === null) return null
  const shown = shownText(children)
  const marker = (ignored ?? WRITTEN_MARKER.exec(shown)?.[1] ?? '').trim()
  if (marker === '' && look.officeListLevel === null) return null
  const number = NUMBER.exec(marker)
  const level = look.officeListLevel ?? Math.round(look.marginLeft / POINTS_PER_LEVEL)
  return element('office-item', dropStart(children, marker.replace(/\s/g, '').length).rest, {
    level: Math.min(Math.max(level, 1), MAX_LEVELS),
    ordered: number !== null,
    start: Number(number?.[1] ?? 1),
  })
}

/** Removes the first `count` characters other than whitespace, and the whitespace around them. */
function dropStart(nodes: HtmlNode[], count: number): { rest: HtmlNode[]; left: number } {
  let left = count
  const rest: HtmlNode[] = []
  let isDone = false
  for (const node of nodes) {
    if (isDone) rest.push(node)
    else if (node.type === 'text') {
      let at = 0
      while (at < node.value.length && (left > 0 || /\s/.test(node.value[at] ?? ''))) {
        if (/\S/.test(node.value[at] ?? '')) left--
        at++
      }
      if (at < node.value.length) {
        rest.push({ type: 'text', value: node.value.slice(at) })
        isDone = true
      }
    } else if (node.type === 'element') {
      const inner = dropStart(node.children, left)
      left = inner.left
      if (inner.rest.length > 0 || isElement(node, 'img', 'input', 'mention')) {
        rest.push({ ...node, children: inner.rest })
        isDone = true
      }
    }
  }
  return { rest, left }
}

/** Groups stray list items into lists, nested by level. */
export function groupListItems(nodes: readonly HtmlNode[]): Element[] {
  const result: Element[] = []
  let items: LevelItem[] = []
  const close = () => {
    if (items.length > 0) result.push(...nestItems(items))
    items = []
  }
  for (const node of wrapInParagraphs(nodes)) {
    if (isElement(node, 'office-item')) items.push(toLevelItem(node))
    else if (isElement(node, 'li')) items.push({ level: 1, ordered: false, start: 1, children: node.children })
    else if (isElement(node, 'ul', 'ol') && isByLevel(node)) items.push(...toLevelItems(node))
    else {
      close()
      result.push(node)
    }
  }
  close()
  return result
}

function toLevelItem({ properties, children }: Element): LevelItem {
  return {
    level: Number(properties['level']),
    ordered: properties['ordered'] === true,
    start: Number(properties['start']),
    children,
  }
}

/** Returns whether the level of a list is in an attribute, because Word on the web writes each item as a separate list. */
function isByLevel(list: Element): boolean {
  return (
    list.children.length > 0 &&
    list.children.every((item) => isElement(item, 'li') && Number(item.properties['webLevel']) > 0)
  )
}

function toLevelItems(list: Element): LevelItem[] {
  return list.children
    .filter((item) => isElement(item, 'li'))
    .map((item) => ({
      level: Math.min(Number(item.properties['webLevel']), MAX_LEVELS),
      ordered: list.tagName === 'ol',
      start: Number(list.properties['start'] ?? 1),
      children: item.children,
    }))
}

function nestItems(items: readonly LevelItem[]): Element[] {
  const roots: Element[] = []
  const open: { level: number; list: Element }[] = []
  for (const item of items) {
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > item.level) open.pop()
    const tagName = item.ordered ? 'ol' : 'ul'
    const top = open.at(-1)
    if (top && top.level === item.level && top.list.tagName !== tagName) open.pop()
    if (open.at(-1)?.level !== item.level) {
      const list = element(tagName, [], item.ordered ? { start: item.start } : {})
      const parent = open.at(-1)?.list.children.at(-1)
      if (isElement(parent)) parent.children.push(list)
      else roots.push(list)
      open.push({ level: item.level, list })
    }
    open.at(-1)?.list.children.push(element('li', [...item.children]))
  }
  return roots
}

/** Returns the items of a list element. A list directly within a list belongs to the item before it. */
export function collectListItems(children: readonly HtmlNode[]): Element[] {
  const items: Element[] = []
  for (const child of children) {
    const last = items.at(-1)
    if (isElement(child, 'li')) items.push(child)
    else if (isElement(child, 'ul', 'ol') && last) last.children = [...wrapInParagraphs(last.children), child]
    else if (isElement(child, 'office-item')) items.push(element('li', child.children))
    else if (isShown(child)) items.push(element('li', [child]))
  }
  return items
}
