import type { AlignType, Heading, ListItem, RootContent, TableCell } from 'mdast'
import type { Debris } from '../../model'
import { note } from '../debris'
import { limits } from '../limits'
import { isShown, linesOf, text } from '../tree/nodes'
import { checkbox, isCheckbox, readTaskCheckbox, toListItem } from './checkbox'
import { blocks, codeBlocks, dropped, inlines, plainBlocks } from './elements'
import { collectListItems, groupDefinitions, groupListItems, readOfficeItem } from './lists'
import { readMedia } from './media'
import { readMention } from './mention'
import { attribute, type Element, findAttribute, type HtmlNode, isElement, sourceText } from './parse'
import { readCodeBlock, readInline } from './read-inline'
import { readSettingTags } from './settings'
import { type Appearance, readAppearance } from './style'
import { readTable } from './table'
import { isBlock, wrapInParagraphs } from './wrap'

interface Place {
  debris: Debris[]
  level: number
  /** Counts the tables read so far. */
  tables: { count: number }
  /** Whether whitespace counts. */
  isCode: boolean
}

/**
 * Reads elements as nodes. It keeps only what is named here and in the files beside: the address, text and title of a link or image,
 * the span and alignment of a cell, the start of a list, and the content of the listed elements.
 */
export function readElements(nodes: readonly HtmlNode[], place: Place): RootContent[] {
  const result: RootContent[] = []
  for (const node of nodes) {
    if (isElement(node)) for (const read of readElement(node, place)) result.push(read)
    else if ('value' in node) result.push(text(place.isCode ? node.value : foldBlanks(node.value)))
    else if ('data' in node) note(place.debris, isOfficeComment(node.data) ? 'office-markup' : 'comment')
  }
  return result
}

/** A line end in HTML source is whitespace. */
function foldBlanks(value: string): string {
  return /[\t\n\f\r]| {2}/.test(value) ? value.replace(/[\t\n\f\r ]+/g, ' ') : value
}

function isOfficeComment(value: string): boolean {
  return /^\s*(?:\[if\b|\[endif|\[CDATA\[|StartFragment|EndFragment|\?xml|xml:namespace)/i.test(value)
}

function readElement(node: Element, place: Place): RootContent[] {
  const { debris, level, tables } = place
  const { tagName } = node
  for (const { name } of node.attrs) if (name.startsWith('on')) note(debris, 'event-handler')
  const gone = isCheckbox(node) ? undefined : dropped.get(tagName)
  if (gone) {
    note(debris, gone)
    return []
  }
  if (level >= limits.elementLevels) {
    note(debris, 'too-deep')
    return [text(` ${sourceText([node])} `)]
  }
  if (CONFLUENCE_TASK_DATA.test(tagName)) {
    note(debris, 'office-markup')
    return []
  }
  if (isShowMore(node)) {
    note(debris, 'form')
    return []
  }
  const look = readAppearance(node)
  if (look.hidden) {
    if (isSourceShown(node)) note(debris, 'hidden')
    return []
  }
  if (look.isOffice || tagName.includes(':') || /(?:^|\s)Mso/.test(attribute(node, 'class'))) {
    note(debris, 'office-markup')
  }
  const mention = readMention(node)
  if (mention) return [mention]
  const tablesBefore = tables.count
  const isPre = codeBlocks.has(tagName) || inlines.get(tagName) === 'code' || isPreformatted(look)
  const isCode = place.isCode || isPre
  const children = readElements(node.childNodes, { debris, level: level + 1, tables, isCode })
  if (tagName === 'td' || tagName === 'th') return [readCell(node, children, tables.count > tablesBefore)]
  if (tagName === 'table') tables.count++
  return rebuild(node, look, children, debris)
}

/** Matches elements that Confluence stores next to the text of a task: its number and whether it is done. */
const CONFLUENCE_TASK_DATA = /^ac:task-(?:id|uuid|status)$/

function isSourceShown(node: Element): boolean {
  if (/^(?:img|hr|input)$/.test(node.tagName)) return true
  return node.childNodes.some((child) =>
    isElement(child) ? isSourceShown(child) : 'value' in child && /\S/.test(child.value),
  )
}

/** Returns whether the element is a button that only expands and collapses text on the page that it was copied from. */
function isShowMore(node: Element): boolean {
  const isButton =
    attribute(node, 'role') === 'button' ||
    /button|expand|toggle|show-?more/i.test(attribute(node, 'class')) ||
    /^(?:javascript:|#$)/i.test(attribute(node, 'href').trim())
  if (!isButton) return false
  return /^(?:show|see|read) (?:more|less)\s{0,3}(?:\.{3}|…)?$/i.test(sourceText([node]).slice(0, 40).trim())
}

function rebuild(node: Element, look: Appearance, children: RootContent[], debris: Debris[]): RootContent[] {
  const { tagName } = node
  const depth = headingDepth(node)
  if (depth) return [{ type: 'heading', depth, children: children as Heading['children'] }]
  if (isCodeByStyle(look, children)) return readCodeBlock(node, children)
  if (plainBlocks.has(tagName)) return readPlainBlock(node, look, children)
  if (codeBlocks.has(tagName)) return readCodeBlock(node, children)
  if (blocks.has(tagName)) return readBlock(node, children)
  if (isCheckbox(node)) return [checkbox(findAttribute(node, 'checked') !== undefined)]
  if (tagName === 'ac:task-list') return [{ type: 'list', ordered: false, children: collectListItems(children) }]
  if (tagName === 'ac:task') return [toListItem(groupBlocks([...readTaskCheckbox(node), ...children]))]
  const media = readMedia(node, debris)
  if (media) return media
  const tags = readSettingTags(node)
  if (tags) return [text(tags.open), ...children, text(tags.close)]
  return readInline(node, look, children)
}

function isPreformatted({ whiteSpace, isMonospace }: Appearance): boolean {
  return whiteSpace === 'pre' || (whiteSpace === 'pre-wrap' && isMonospace)
}

/** Returns whether the lines of an element are code that an editor marks by style alone. A list or a table is none. */
function isCodeByStyle(look: Appearance, children: readonly RootContent[]): boolean {
  if (!look.isMonospace && !isPreformatted(look)) return false
  const isText = children.every((child) => child.type === 'paragraph' || child.type === 'code' || !isBlock(child))
  return isText && linesOf(children).trim().includes('\n')
}

function headingDepth(node: Element): Heading['depth'] | null {
  const { tagName } = node
  if (/^h[1-6]$/.test(tagName)) return Number(tagName[1]) as Heading['depth']
  if (attribute(node, 'role') === 'heading') {
    const level = Math.trunc(Number(attribute(node, 'aria-level'))) || 2
    return Math.min(Math.max(level, 1), 6) as Heading['depth']
  }
  return tagName === 'p' && attribute(node, 'class').includes('MsoTitle') ? 1 : null
}

function readPlainBlock(node: Element, look: Appearance, children: RootContent[]): RootContent[] {
  if (children.some(isBlock)) return wrapInParagraphs(children)
  const item = readOfficeItem(node, look, children, findOfficeMarker(node))
  return item ? [item] : wrapInParagraphs(children)
}

/** Finds a bullet or number that Word marks as not part of the text. */
function findOfficeMarker(node: Element): string | null {
  for (const child of node.childNodes) {
    if (!isElement(child)) continue
    const found = readAppearance(child).isOfficeMarker ? sourceText([child]) : findOfficeMarker(child)
    if (found !== null) return found
  }
  return null
}

function groupBlocks(children: RootContent[]): RootContent[] {
  return children.some(isBlock) ? groupListItems(children) : children
}

function readBlock(node: Element, children: RootContent[]): RootContent[] {
  switch (node.tagName) {
    case 'ul':
      return [{ type: 'list', ordered: false, children: collectListItems(children) }]
    case 'ol': {
      const [first] = node.childNodes.filter((child) => isElement(child, 'li'))
      const start = Number((first && findAttribute(first, 'value')) ?? findAttribute(node, 'start') ?? 1)
      return [
        {
          type: 'list',
          ordered: true,
          start: Number.isFinite(start) ? start : 1,
          children: collectListItems(children),
        },
      ]
    }
    case 'li': {
      const level = Number(attribute(node, 'data-aria-level')) || undefined
      const content = groupBlocks([...readTaskCheckbox(node), ...children])
      return [toListItem(content, { level })]
    }
    case 'dl':
      return [{ type: 'list', ordered: false, children: groupDefinitions(children) }]
    case 'dt': {
      const shown = groupListItems(children).map((block) =>
        block.type === 'paragraph'
          ? { ...block, children: [{ type: 'strong' as const, children: block.children }] }
          : block,
      )
      return [{ type: 'listItem', data: { isTerm: true }, children: shown as ListItem['children'] }]
    }
    case 'dd':
      return groupListItems(children)
    case 'blockquote':
      return [{ type: 'blockquote', children: groupListItems(children) as ListItem['children'] }]
    case 'hr':
      return [{ type: 'thematicBreak' }]
    case 'table': {
      const rows = children.filter((child) => child.type === 'tableRow').map((row) => row.children)
      // Captions are already paragraphs at this point.
      return [...children.filter(({ type }) => type === 'paragraph'), ...readTable(rows)]
    }
    case 'tr':
      return [{ type: 'tableRow', children: children.filter((child) => child.type === 'tableCell') }]
    default:
      // The caption of a table.
      return children.some(isShown) ? [{ type: 'paragraph', children: children as Heading['children'] }] : []
  }
}

function readCell(node: Element, children: RootContent[], holdsTable: boolean): TableCell {
  const number = (name: string) => Math.trunc(Number(attribute(node, name))) || 1
  const written = attribute(node, 'align') || (/text-align:\s*(\w+)/.exec(attribute(node, 'style'))?.[1] ?? '')
  const align = (['left', 'center', 'right'].includes(written) ? written : null) as AlignType
  return {
    type: 'tableCell',
    data: { columns: number('colspan'), rows: number('rowspan'), align, holdsTable },
    children: groupBlocks(children) as TableCell['children'],
  }
}
