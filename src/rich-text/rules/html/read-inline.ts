import type { RootContent } from 'mdast'
import type { Styled } from '../../model'
import { linesOf, text } from '../tree/nodes'
import { inlines } from './elements'
import { type Element, findAttribute, isElement } from './parse'
import type { Appearance } from './style'
import { isBlock, wrapInlines } from './wrap'

/** Returns the nodes of an inline element with its content, and with emphasis that an editor expresses by style only. */
export function readInline(node: Element, look: Appearance, children: RootContent[]): RootContent[] {
  let result = readNamed(node, look, children)
  if (look.struck) result = wrapInlines({ type: 'delete', children: [] }, result)
  if (look.italic) result = wrapInlines({ type: 'emphasis', children: [] }, result)
  if (look.bold) result = wrapInlines({ type: 'strong', children: [] }, result)
  return result
}

function readNamed(node: Element, look: Appearance, children: RootContent[]): RootContent[] {
  switch (inlines.get(node.tagName)) {
    case 'br':
      return [{ type: 'break' }]
    case 'strong':
      return look.bold === false ? children : wrapInlines({ type: 'strong', children: [] }, children)
    case 'em':
      return look.italic === false ? children : wrapInlines({ type: 'emphasis', children: [] }, children)
    case 'del':
      return wrapInlines({ type: 'delete', children: [] }, children)
    case 'a': {
      const url = findAttribute(node, 'href')
      return url === undefined
        ? children
        : wrapInlines({ type: 'link', url, title: findAttribute(node, 'title'), children: [] }, children)
    }
    case 'code':
      return children.some((child) => isBlock(child) || child.type === 'break')
        ? readCodeBlock(node, children)
        : [{ type: 'inlineCode', value: linesOf(children) }]
    case 'q':
      return [text('"'), ...children, text('"')]
    default:
      return readStyled(node.tagName, children)
  }
}

const STYLES: Readonly<Record<string, Styled['style']>> = {
  u: 'underline',
  ins: 'underline',
  sub: 'subscript',
  sup: 'superscript',
}

function readStyled(tagName: string, children: RootContent[]): RootContent[] {
  const style = STYLES[tagName]
  if (style === undefined) return children
  const raised = style === 'superscript' ? raise(children) : null
  return raised ?? wrapInlines({ type: 'styled', style, children: [] }, children)
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Writes a superscript number in superscript characters, because 10<sup>6</sup> is not 106. Null for other text. */
function raise(children: RootContent[]): RootContent[] | null {
  const shown = linesOf(children)
  if (!/^[\d+-]{1,9}$/.test(shown)) return null
  return [text([...shown].map((digit) => (digit === '-' ? '⁻' : digit === '+' ? '⁺' : RAISED[Number(digit)])).join(''))]
}

/** Returns a code block of preformatted text, with its language if the source specifies one. */
export function readCodeBlock(node: Element, children: RootContent[]): RootContent[] {
  // Editors indent with spaces that do not break.
  const value = linesOf(children).replaceAll('\u00a0', ' ')
  if (value.trim() === '') return []
  const inner = node.childNodes.find((child) => isElement(child, 'code'))
  const lang = languageOf(node) ?? (isElement(inner) ? languageOf(inner) : null)
  return [{ type: 'code', lang, value }]
}

/** Reads the language from `language-sql`, `lang-sql`, `highlight-source-sql`, `brush: sql` or `data-lang="sql"`. */
function languageOf(node: Element): string | null {
  const language = findAttribute(node, 'data-language') || findAttribute(node, 'data-lang')
  if (language) return language
  const classes = findAttribute(node, 'class') ?? ''
  return /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]{1,40})/i.exec(classes)?.[1] ?? null
}
