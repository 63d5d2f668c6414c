import type { Debris, DebrisKind } from '../../model'
import { limits } from '../limits'
import { element, hasBlock, isElement, isShown, shownText, unwrapBlocks, wrapInParagraphs } from './build'
import { cleanInline } from './clean-inline'
import { createCodeBlock } from './code'
import { blocks, codeBlocks, dropped, plainBlocks } from './elements'
import { collectListItems, groupListItems, readOfficeItem } from './lists'
import { cleanMedia } from './media'
import { isMention, readMention } from './mention'
import { attribute, type Element, type HtmlNode, type Properties } from './nodes'
import { readSettingTags } from './settings'
import { type Appearance, readAppearance } from './style'

/**
 * Builds a tree of known elements, nested as Markdown allows. It copies only what is named here: the address of a link or image,
 * the span of a cell, the start of a list, and the listed elements.
 */
export function cleanTree(nodes: readonly HtmlNode[], debris: Debris[]): Element[] {
  return groupListItems(cleanAll(nodes, { debris, level: 0 }))
}

interface Place {
  debris: Debris[]
  level: number
}

function cleanAll(nodes: readonly HtmlNode[], place: Place): HtmlNode[] {
  const result: HtmlNode[] = []
  for (const node of nodes) {
    if (node.type === 'text') result.push(node)
    else if (node.type === 'element') for (const clean of cleanElement(node, place)) result.push(clean)
    else note(place.debris, isOfficeComment(node.value) ? 'office-markup' : 'comment')
  }
  return result
}

function note(debris: Debris[], kind: DebrisKind): void {
  debris.push({ type: 'debris', kind })
}

function isOfficeComment(value: string): boolean {
  return /^\s*(?:\[if\b|\[endif|\[CDATA\[|StartFragment|EndFragment|\?xml|xml:namespace)/i.test(value)
}

function cleanElement(node: Element, { debris, level }: Place): HtmlNode[] {
  for (const name in node.properties) if (name.startsWith('on')) note(debris, 'event-handler')
  const gone = isCheckbox(node) ? undefined : dropped.get(node.tagName)
  if (gone) {
    note(debris, gone)
    return []
  }
  if (level >= limits.elementLevels) {
    note(debris, 'too-deep')
    return [{ type: 'text', value: ` ${shownText([node])} ` }]
  }
  if (CONFLUENCE_TASK_DATA.test(node.tagName)) {
    note(debris, 'office-markup')
    return []
  }
  if (isShowMore(node)) {
    note(debris, 'form')
    return []
  }
  const look = readAppearance(node)
  if (look.hidden) {
    if (isShown(node)) note(debris, 'hidden')
    return []
  }
  if (look.isOffice || node.tagName.includes(':') || /(?:^|\s)Mso/.test(attribute(node, 'class'))) {
    note(debris, 'office-markup')
  }
  if (isMention(node)) {
    return [readMention(node)]
  }
  return rebuildElement(node, look, cleanAll(node.children, { debris, level: level + 1 }), debris)
}

/** Matches elements that Confluence stores next to the text of a task: its number and whether it is done. */
const CONFLUENCE_TASK_DATA = /^ac:task-(?:id|uuid|status)$/

function createConfluenceCheckbox({ children }: Element): Element {
  const status = children.filter((child) => isElement(child, 'ac:task-status'))
  return element('input', [], { type: 'checkbox', checked: shownText(status).trim() === 'complete' })
}

function isCheckbox(node: Element): boolean {
  return node.tagName === 'input' && attribute(node, 'type').toLowerCase() === 'checkbox'
}

/** Returns whether the element is a button that only expands and collapses text on the page that it was copied from. */
function isShowMore(node: Element): boolean {
  const isButton =
    attribute(node, 'role') === 'button' ||
    /button|expand|toggle|show-?more/i.test(attribute(node, 'class')) ||
    /^(?:javascript:|#$)/i.test(attribute(node, 'href').trim())
  if (!isButton) return false
  return /^(?:show|see|read) (?:more|less)\s{0,3}(?:\.{3}|…)?$/i.test(shownText([node]).slice(0, 40).trim())
}

function rebuildElement(node: Element, look: Appearance, children: HtmlNode[], debris: Debris[]): HtmlNode[] {
  const { tagName, properties } = node
  const heading = headingName(node)
  if (heading) return [element(heading, unwrapBlocks(children))]
  if (plainBlocks.has(tagName)) return cleanPlainBlock(node, look, children)
  if (codeBlocks.has(tagName)) return createCodeBlock(node, children)
  if (blocks.has(tagName)) return cleanBlock(node, children)
  if (isCheckbox(node))
    return [element('input', [], { type: 'checkbox', checked: properties['checked'] !== undefined })]
  if (tagName === 'ac:task-list') return [element('ul', collectListItems(children))]
  if (tagName === 'ac:task') return [element('li', moveCheckboxFirst([createConfluenceCheckbox(node), ...children]))]
  const media = cleanMedia(node, debris)
  if (media) return media
  const tags = readSettingTags(node)
  if (tags) return [{ type: 'text', value: tags.open }, ...children, { type: 'text', value: tags.close }]
  return cleanInline(node, look, children)
}

function headingName(node: Element): string | null {
  const { tagName, properties } = node
  if (/^h[1-6]$/.test(tagName)) return tagName
  if (properties['role'] === 'heading') {
    return `h${Math.min(Math.max(Math.trunc(Number(properties['aria-level'])) || 2, 1), 6)}`
  }
  return tagName === 'p' && attribute(node, 'class').includes('MsoTitle') ? 'h1' : null
}

function cleanPlainBlock(node: Element, look: Appearance, children: HtmlNode[]): HtmlNode[] {
  if (hasBlock(children)) return wrapInParagraphs(children)
  const item = readOfficeItem(node, look, children, findOfficeMarker(node))
  if (item) return [item]
  return children.some(isShown) ? [element('p', children)] : []
}

/** Finds a bullet or number that Word marks as not part of the text. */
function findOfficeMarker(node: Element): string | null {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    const found = readAppearance(child).isOfficeMarker ? shownText([child]) : findOfficeMarker(child)
    if (found !== null) return found
  }
  return null
}

function cleanBlock({ tagName, properties }: Element, children: HtmlNode[]): HtmlNode[] {
  const only = (...names: string[]) => children.filter((child) => isElement(child, ...names))
  switch (tagName) {
    case 'ul':
      return [element('ul', collectListItems(children))]
    case 'ol':
      return [element('ol', collectListItems(children), { start: properties['start'] ?? 1 })]
    case 'li':
      return [
        element('li', moveCheckboxFirst([...createTaskCheckbox(properties), ...children]), {
          webLevel: Number(properties['data-aria-level']) || 0,
        }),
      ]
    case 'dl':
      return [element('ul', groupDefinitions(children))]
    case 'dt':
      return [element('definition-term', groupListItems(children))]
    case 'dd':
      return [element('div', groupListItems(children))]
    case 'blockquote':
      return [element('blockquote', groupListItems(children))]
    case 'hr':
      return [element('hr', [])]
    case 'table':
      // Captions are already paragraphs at this point.
      return [...only('p'), element('table', only('tr'))]
    case 'tr':
      return [element('tr', only('td', 'th'))]
    case 'caption':
      return children.some(isShown) ? [element('p', unwrapBlocks(children))] : []
    default: {
      const { colspan, rowspan } = properties
      return [element(tagName, hasBlock(children) ? groupListItems(children) : children, { colspan, rowspan })]
    }
  }
}

/**
 * Creates the checkbox of a task. Some editors mark a task only by the role of its list item. Confluence pages mark it by an id and
 * its state by a class.
 */
function createTaskCheckbox({
  role,
  'aria-checked': checked,
  'data-inline-task-id': task,
  class: classes,
}: Properties): Element[] {
  const isChecked = role === 'checkbox' ? checked === 'true' : /(?:^|\s)checked(?:\s|$)/.test(String(classes ?? ''))
  const isTask = role === 'checkbox' || task !== undefined
  return isTask ? [element('input', [], { type: 'checkbox', checked: isChecked })] : []
}

function moveCheckboxFirst(children: HtmlNode[]): HtmlNode[] {
  const first = children.findIndex(isShown)
  const own = first > 0 ? children.slice(first) : children
  return hasBlock(own) ? groupListItems(own) : own
}

/** Combines a term and its definition in one list item. */
function groupDefinitions(children: HtmlNode[]): Element[] {
  const items: Element[] = []
  for (const child of children) {
    const last = items.at(-1)
    if (isElement(child, 'definition-term')) items.push(element('li', child.children.flatMap(wrapInStrong)))
    else if (isElement(child, 'div') && last) last.children.push(...child.children)
    else if (isElement(child, 'div')) items.push(element('li', child.children))
  }
  return items
}

function wrapInStrong(block: HtmlNode): HtmlNode[] {
  return isElement(block, 'p') ? [element('p', [element('strong', block.children)])] : [block]
}
