import type { Element, ElementContent, Root, RootContent } from 'hast'
import { limits } from '../limits'
import { marks } from '../redact/marks'
import type { Tally } from '../removal'
import { around, element, hasBlock, isElement, isShown, shownText, withoutBlocks } from './build'
import { codeBlock } from './code'
import { blocks, dropped, inlines, plainBlocks } from './elements'
import { listItems, officeItem, withLists } from './lists'
import { cleanMedia } from './media'
import { isMention } from './mention'
import { type Appearance, appearanceOf } from './style'

/**
 * A tree of known elements alone, in an order that Markdown can hold. Nothing is carried over but what is named here: no
 * attribute but the address of a link or image, the span of a cell, the start of a list; no element that is not listed.
 */
export function cleanTree(root: Root, tally: Tally): Root {
  return { type: 'root', children: withLists(cleanAll(root.children, { tally, level: 0 })) }
}

interface Place {
  tally: Tally
  level: number
}

function cleanAll(nodes: readonly RootContent[], place: Place): ElementContent[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return [node]
    if (node.type === 'element') return cleanElement(node, place)
    if (node.type === 'comment') place.tally.add(isOfficeComment(node.value) ? 'office-markup' : 'comment')
    return []
  })
}

function isOfficeComment(value: string): boolean {
  return /^\s*(?:\[if\b|\[endif|\[CDATA\[|StartFragment|EndFragment|\?xml|xml:namespace)/i.test(value)
}

function cleanElement(node: Element, { tally, level }: Place): ElementContent[] {
  tally.add('event-handler', Object.keys(node.properties).filter((name) => /^on/i.test(name)).length)
  const gone = isCheckbox(node) ? undefined : dropped.get(node.tagName)
  if (gone) {
    tally.add(gone)
    return []
  }
  if (level >= limits.elementLevels) {
    tally.add('too-deep')
    return [{ type: 'text', value: ` ${shownText([node])} ` }]
  }
  const look = appearanceOf(node)
  if (look.hidden) {
    if (isShown(node)) tally.add('hidden')
    return []
  }
  if (look.isOffice || node.tagName.includes(':') || /(?:^|,)Mso/.test(String(node.properties['className'] ?? ''))) {
    tally.add('office-markup')
  }
  if (isMention(node)) {
    tally.add('mention')
    return [{ type: 'text', value: marks.mention }]
  }
  return rebuilt(node, look, cleanAll(node.children, { tally, level: level + 1 }), tally)
}

function isCheckbox({ tagName, properties }: Element): boolean {
  return tagName === 'input' && String(properties['type']).toLowerCase() === 'checkbox'
}

function rebuilt(node: Element, look: Appearance, children: ElementContent[], tally: Tally): ElementContent[] {
  const { tagName, properties } = node
  const heading = headingName(node)
  if (heading) return [element(heading, withoutBlocks(children))]
  if (plainBlocks.has(tagName)) return cleanPlainBlock(node, look, children)
  if (tagName === 'pre' || tagName === 'listing' || tagName === 'xmp' || tagName === 'plaintext')
    return codeBlock(node, children)
  if (tagName === 'dir') return [element('ul', listItems(children))]
  if (blocks.has(tagName)) return cleanBlock(node, children)
  if (isCheckbox(node)) return [element('input', [], { type: 'checkbox', checked: properties['checked'] === true })]
  const media = cleanMedia(node, tally)
  if (media) return media
  return styled(look, cleanInline(node, look, children))
}

function headingName({ tagName, properties }: Element): string | null {
  if (/^h[1-6]$/.test(tagName)) return tagName
  if (properties['role'] === 'heading') return `h${Math.min(Math.max(Number(properties['ariaLevel']) || 2, 1), 6)}`
  return tagName === 'p' && String(properties['className'] ?? '').includes('MsoTitle') ? 'h1' : null
}

function cleanPlainBlock(node: Element, look: Appearance, children: ElementContent[]): ElementContent[] {
  if (hasBlock(children)) return withLists(children)
  const item = officeItem(node, look, children, ignoredMarker(node))
  if (item) return [item]
  return children.some(isShown) ? [element('p', children)] : []
}

/** The bullet or number that Word itself says to be none of the text. */
function ignoredMarker(node: Element): string | null {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    const found = appearanceOf(child).isOfficeMarker ? shownText([child]) : ignoredMarker(child)
    if (found !== null) return found
  }
  return null
}

function cleanBlock({ tagName, properties }: Element, children: ElementContent[]): ElementContent[] {
  switch (tagName) {
    case 'ul':
      return [element('ul', listItems(children))]
    case 'ol':
      return [
        element('ol', listItems(children), properties['start'] === undefined ? {} : { start: properties['start'] }),
      ]
    case 'li':
      return [element('li', withCheckboxFirst(children), { webLevel: Number(properties['dataAriaLevel']) || 0 })]
    case 'dl':
      return [element('ul', definitionItems(children))]
    case 'dt':
    case 'dd':
      return [element(tagName === 'dt' ? 'definition-term' : 'div', withLists(children))]
    case 'blockquote':
      return [element('blockquote', withLists(children))]
    case 'hr':
      return [element('hr', [])]
    case 'table': {
      const captions = children.filter((child) => isElement(child, 'p'))
      return [
        ...captions,
        element(
          'table',
          children.filter((child) => isElement(child, 'tr')),
        ),
      ]
    }
    case 'tr':
      return [
        element(
          'tr',
          children.filter((child) => isElement(child, 'td', 'th')),
        ),
      ]
    case 'caption':
      return children.some(isShown) ? [element('p', withoutBlocks(children))] : []
    default: {
      const { colSpan, rowSpan, align } = properties
      return [element(tagName, hasBlock(children) ? withLists(children) : children, { colSpan, rowSpan, align })]
    }
  }
}

function withCheckboxFirst(children: ElementContent[]): ElementContent[] {
  const first = children.findIndex(isShown)
  const own = first > 0 ? children.slice(first) : children
  return hasBlock(own) ? withLists(own) : own
}

/** A term and what is said of it are one list item. */
function definitionItems(children: ElementContent[]): Element[] {
  const items: Element[] = []
  for (const child of children) {
    if (isElement(child, 'definition-term')) {
      items.push(
        element(
          'li',
          child.children.flatMap((part) => (part.type === 'element' ? inStrong(part) : [part])),
        ),
      )
    } else if (isElement(child, 'div')) {
      const last = items.at(-1) ?? element('li', [])
      if (items.length === 0) items.push(last)
      last.children.push(...child.children)
    }
  }
  return items
}

function inStrong(block: Element): ElementContent[] {
  return isElement(block, 'p') ? [element('p', [element('strong', block.children)])] : [block]
}

function cleanInline(node: Element, look: Appearance, children: ElementContent[]): ElementContent[] {
  const name = inlines.get(node.tagName)
  switch (name) {
    case undefined:
      return node.tagName === 'sup' ? raised(children) : children
    case 'br':
      return [element('br', [])]
    case 'strong':
      return look.bold === false ? children : around('strong', {}, children)
    case 'em':
      return look.italic === false ? children : around('em', {}, children)
    case 'a': {
      const { href } = node.properties
      return typeof href === 'string' ? around('a', { href }, children) : children
    }
    case 'code':
      return hasBlock(children) || children.some((child) => isElement(child, 'br'))
        ? codeBlock(node, children)
        : [element('code', children)]
    default:
      return around(name, {}, children)
  }
}

/** What an editor says by style alone. */
function styled(look: Appearance, children: ElementContent[]): ElementContent[] {
  let result = children
  if (look.struck) result = around('del', {}, result)
  if (look.italic) result = around('em', {}, result)
  if (look.bold) result = around('strong', {}, result)
  return result
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** 10<sup>6</sup> is not 106. */
function raised(children: ElementContent[]): ElementContent[] {
  const shown = shownText(children)
  if (!/^[\d+-]{1,9}$/.test(shown)) return children
  const value = [...shown].map((sign) => (sign === '-' ? '⁻' : sign === '+' ? '⁺' : RAISED[Number(sign)])).join('')
  return [{ type: 'text', value }]
}
