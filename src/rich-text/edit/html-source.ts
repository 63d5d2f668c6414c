import { decodeHTML } from 'entities'
import type { Token } from 'parse5'
import { blocks, codeBlocks, dropped, inlines, plainBlocks } from '../rules/html/elements'
import { readMention } from '../rules/html/mention'
import { attribute, type Element, findAttribute, type HtmlNode, parseHtml } from '../rules/html/parse'
import type { Place, SourceToken } from './source'
import { boxOf, type Mark, splitText } from './tokens'

/** What an element is for an edit. */
export interface ElementRole {
  kind: Place['kind']
  marks: readonly Mark[]
  /** What is shown in place of its content: an image, a break. */
  token?: string
  /** Whether its text has lines and indents. */
  isCode?: boolean
  isSkipped?: boolean
  /** Whether it says more of its content than its marks do: a colour, a size, a person. */
  isStyled?: boolean
  isTitle?: boolean
}

const MARKS: Readonly<Record<string, Mark>> = { strong: 'strong', em: 'emphasis', del: 'delete', code: 'code' }
const KINDS: Readonly<Record<string, Place['kind']>> = {
  ul: 'list',
  ol: 'list',
  table: 'list',
  tbody: 'list',
  thead: 'list',
  li: 'item',
  tr: 'row',
  td: 'cell',
  th: 'cell',
}

/** Inline elements that Markdown has no mark for. */
const STYLES = new Set(['big', 'ins', 'mark', 'small', 'sub', 'sup', 'u'])
const SHOWN_ATTRIBUTES = new Set(['alt', 'href', 'src'])

function roleOfHtml(element: Element): ElementRole {
  const { tagName } = element
  const name = inlines.get(tagName)
  const isStyled = STYLES.has(tagName) || element.attrs.some((one) => !SHOWN_ATTRIBUTES.has(one.name))
  if (name === 'br') return { kind: 'inline', marks: [], token: '\n' }
  if (name === 'img') return { kind: 'locked', marks: [], token: `image ${attribute(element, 'src')}`, isStyled }
  if (tagName === 'hr') return { kind: 'block', marks: [], token: '---' }
  if (tagName === 'input' && attribute(element, 'type').toLowerCase() === 'checkbox')
    return { kind: 'locked', marks: [], token: boxOf(findAttribute(element, 'checked') !== undefined) }
  if (dropped.has(tagName)) return { kind: 'locked', marks: [], isSkipped: true }
  if (readMention(element)) return { kind: 'locked', marks: [], isStyled: true }
  if (name === 'a') return { kind: 'inline', marks: [`link:${attribute(element, 'href')}`], isStyled }
  if (name !== undefined) return { kind: 'inline', marks: MARKS[name] ? [MARKS[name]] : [], isStyled }
  const isBlock = blocks.has(tagName) || plainBlocks.has(tagName) || codeBlocks.has(tagName)
  return {
    kind: KINDS[tagName] ?? (isBlock ? 'block' : 'inline'),
    marks: [],
    isCode: codeBlocks.has(tagName),
    isStyled,
  }
}

/**
 * Reads the tokens of HTML, or of another text with tags. Null if the parser puts elements elsewhere than the source has them.
 * @param roleOf tells what an element is
 */
export function readTags(source: string, roleOf: (element: Element) => ElementRole = roleOfHtml): SourceToken[] | null {
  const tokens: SourceToken[] = []
  let spaced = false
  const add = (token: Omit<SourceToken, 'spaced'>, isSpaced = false) => {
    tokens.push({ ...token, spaced: spaced || isSpaced })
    spaced = false
  }
  const walk = (node: HtmlNode, place: Place | null, around: { marks: readonly Mark[]; isCode: boolean }) => {
    const at = node.sourceCodeLocation
    if (node.nodeName === '#text' && 'value' in node && at) {
      const written = source.slice(at.startOffset, at.endOffset)
      const places = mapCharacters(node.value, written)
      const start = (index: number) => at.startOffset + places![index]!
      if (places === null)
        add({ key: node.value, start: at.startOffset, end: at.endOffset, marks: around.marks, place })
      else
        for (const piece of splitText(node.value, around.isCode)) {
          const end = at.startOffset + endOf(places, piece.end, written)
          add({ key: piece.key, start: start(piece.start), end, marks: around.marks, place }, piece.spaced)
        }
      if (/\s$/.test(node.value) && !around.isCode) spaced = true
    }
    if (!('tagName' in node)) return
    const role = roleOf(node)
    if (role.isSkipped) return
    const marks = [...around.marks, ...role.marks]
    const own = at ? placeOf(at, { role, marks, parent: place }) : place
    if (role.kind !== 'inline' && role.kind !== 'locked') spaced = false
    if (role.token !== undefined && at)
      add({ key: role.token, start: at.startOffset, end: at.endOffset, marks: around.marks, place: own })
    const inner = { marks, isCode: around.isCode || role.isCode === true }
    if (role.token === undefined) for (const child of node.childNodes) walk(child, own, inner)
    if (role.token === '\n' || (role.kind !== 'inline' && role.kind !== 'locked')) spaced = false
  }
  for (const child of parseHtml(source, true)) walk(child, null, { marks: [], isCode: false })
  const isInOrder = tokens.every(({ start, end }, at) => start < end && start >= (tokens[at - 1]?.end ?? 0))
  return isInOrder ? tokens : null
}

function placeOf(
  at: Token.ElementLocation,
  { role, marks, parent }: { role: ElementRole; marks: readonly Mark[]; parent: Place | null },
): Place {
  const inner = at.startTag && at.endTag ? { inner: { start: at.startTag.endOffset, end: at.endTag.startOffset } } : {}
  const outer = role.isTitle && parent ? { outer: parent } : {}
  const styled = role.isStyled ? { isStyled: true } : {}
  return { start: at.startOffset, end: at.endOffset, kind: role.kind, marks, parent, ...inner, ...outer, ...styled }
}

/** Finds where the characters of a shown text are in its source. Null if the source shows something else. */
function mapCharacters(shown: string, source: string): number[] | null {
  if (shown === source) return Array.from({ length: shown.length + 1 }, (_, at) => at)
  const places: number[] = []
  let at = 0
  for (let from = 0; from < shown.length; ) {
    if (at >= source.length) return null
    const reference = readReference(source, at)
    if (reference && shown.startsWith(reference.shown, from)) {
      for (let count = 0; count < reference.shown.length; count++) places.push(at)
      from += reference.shown.length
      at += reference.length
    } else if (source[at] === shown[from]) {
      places.push(at)
      from++
      at++
    } else at++
  }
  places.push(at)
  return places
}

/** The end of a character: the start of the next one, unless something that shows nothing is between. */
function endOf(places: readonly number[], index: number, written: string): number {
  const start = places[index - 1]!
  const next = places[index]!
  const reference = readReference(written, start)
  return reference ? Math.min(next, start + reference.length) : Math.min(next, start + 1)
}

const REFERENCE = /&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z][A-Za-z\d]{0,31});?/y

export function readReference(source: string, at: number): { length: number; shown: string } | null {
  if (source[at] === '\r') return { length: source[at + 1] === '\n' ? 2 : 1, shown: '\n' }
  if (source[at] !== '&') return null
  REFERENCE.lastIndex = at
  const [found] = REFERENCE.exec(source) ?? []
  if (found === undefined) return null
  // Without a semicolon, a shorter name may be meant.
  for (let { length } = found; length > 1; length--) {
    const shown = decodeHTML(found.slice(0, length))
    if (!shown.startsWith('&') || shown === '&') return { length, shown }
    if (found.endsWith(';')) break
  }
  return null
}
