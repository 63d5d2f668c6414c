import { element, hasBlock, isElement, shownText, wrapInlines } from './build'
import { createCodeBlock } from './code'
import { inlines } from './elements'
import type { Element, HtmlNode } from './nodes'
import type { Appearance } from './style'

/** Returns an inline element with its clean content, and with emphasis that an editor expresses by style only. */
export function cleanInline(node: Element, look: Appearance, children: HtmlNode[]): HtmlNode[] {
  let result = named(node, look, children)
  if (look.struck) result = wrapInlines('del', {}, result)
  if (look.italic) result = wrapInlines('em', {}, result)
  if (look.bold) result = wrapInlines('strong', {}, result)
  return result
}

function named(node: Element, look: Appearance, children: HtmlNode[]): HtmlNode[] {
  const name = inlines.get(node.tagName)
  switch (name) {
    case undefined:
      return node.tagName === 'sup' ? raised(children) : children
    case 'br':
      return [element('br', [])]
    case 'strong':
      return look.bold === false ? children : wrapInlines('strong', {}, children)
    case 'em':
      return look.italic === false ? children : wrapInlines('em', {}, children)
    case 'a': {
      const { href } = node.properties
      return typeof href === 'string' ? wrapInlines('a', { href }, children) : children
    }
    case 'code':
      return hasBlock(children) || children.some((child) => isElement(child, 'br'))
        ? createCodeBlock(node, children)
        : [element('code', children)]
    default:
      return wrapInlines(name, {}, children)
  }
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Writes a superscript number in superscript characters, because 10<sup>6</sup> is not 106. */
function raised(children: HtmlNode[]): HtmlNode[] {
  const shown = shownText(children)
  if (!/^[\d+-]{1,9}$/.test(shown)) return children
  const value = [...shown].map((digit) => (digit === '-' ? '⁻' : digit === '+' ? '⁺' : RAISED[Number(digit)])).join('')
  return [{ type: 'text', value }]
}
