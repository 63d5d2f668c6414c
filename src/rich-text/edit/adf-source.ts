import { escapeText } from 'entities'
import type { Root, RootContent } from 'mdast'
import { type AdfNode, childrenOf, INLINE, toInlineNodes } from '../rules/adf-to-markdown'
import { type Element, type HtmlNode, parseHtml } from '../rules/html/parse'
import { toAdfBlocks, toAdfInline } from '../rules/markdown-to-adf'
import { type ElementRole, readTags } from './html-source'
import type { Place, SourceFormat } from './source'
import { boxOf, type Mark } from './tokens'

const MARKS: Readonly<Record<string, Mark>> = { strong: 'strong', em: 'emphasis', strike: 'delete', code: 'code' }
const KINDS: Readonly<Record<string, Place['kind']>> = {
  bulletList: 'list',
  orderedList: 'list',
  taskList: 'list',
  decisionList: 'list',
  table: 'list',
  listItem: 'item',
  taskItem: 'item',
  decisionItem: 'item',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'cell',
}
/** Nodes that are shown as words and have none of their own. */
const ATOMS = new Set([...INLINE, 'media', 'inlineExtension'].filter((type) => type !== 'text' && type !== 'hardBreak'))
const CARDS = new Set(['blockCard', 'embedCard'])

/**
 * A document of Atlassian as a text with tags, which an edit can change in pieces: `<n3>` is the fourth node, whose attributes are kept
 * aside. `b3` is the box of a task, `t3` the title of a part that can be expanded, and `c3` the words of a card.
 */
export class AdfSource {
  readonly #nodes: AdfNode[] = []
  readonly text: string
  readonly format: SourceFormat

  constructor(document: unknown) {
    this.text = childrenOf(document)
      .map((node) => this.#write(node))
      .join('')
    this.format = {
      read: (source) => readTags(source, (element) => this.#roleOf(element.tagName)),
      writeInline: (nodes) =>
        toAdfInline(nodes)
          .map((node) => (node.type === 'text' && !node.marks?.length ? writeText(node.text) : this.#write(node)))
          .join(''),
      writeBlock: (node, beside) => this.#writeBlocks(node, beside?.place ?? null),
      writeCode: writeText,
      writeBox: (isChecked) => boxOf(isChecked),
      widenBlock: (_source, range) => range,
      joinLines: (words) => words,
      separator: '',
      isTagged: true,
    }
  }

  /** The document of a text with tags. */
  parse(text: string): { version: 1; type: 'doc'; content: AdfNode[] } {
    return { version: 1, type: 'doc', content: parseHtml(text).flatMap((node) => this.#parse(node)) }
  }

  #write(node: AdfNode): string {
    const index = this.#nodes.push(node) - 1
    const tag = `n${index}`
    if (node.type === 'text') return `<${tag}>${writeText(node.text)}</${tag}>`
    if (ATOMS.has(node.type)) return `<${tag}>${writeText(shownText(node))}</${tag}>`
    if (CARDS.has(node.type)) return `<${tag}><c${index}>${writeText(shownText(node))}</c${index}></${tag}>`
    const title = typeof node.attrs?.['title'] === 'string' ? node.attrs['title'] : ''
    const before =
      node.type === 'taskItem'
        ? `<b${index}>${boxOf(node.attrs?.['state'] === 'DONE')}</b${index}>`
        : title === ''
          ? ''
          : `<t${index}>${writeText(title)}</t${index}>`
    const content = childrenOf(node)
      .map((child) => this.#write(child))
      .join('')
    return `<${tag}>${before}${content}</${tag}>`
  }

  /** A part of a list or a table is taken out of the one that it is written in. */
  #writeBlocks(node: RootContent, beside: Place | null): string {
    const like = beside && this.#nodeAt(beside)
    const children = (one: RootContent) => toAdfBlocks([one], this.#isNested(beside))
    const items = () => childrenOf(children({ type: 'list', children: [node as never] })[0])
    const rows = (row: unknown) =>
      childrenOf(children({ type: 'table', children: [{ type: 'tableRow', children: [] }, row as never] })[0])
    const own =
      node.type === 'listItem'
        ? like?.type === 'taskItem'
          ? items().map((item) => toTask(item, node.checked === true))
          : items()
        : node.type === 'tableRow'
          ? rows(node).slice(1)
          : node.type === 'tableCell'
            ? childrenOf(rows({ type: 'tableRow', children: [node] })[1]).map((cell) => ({
                ...cell,
                type: like?.type ?? cell.type,
              }))
            : children(node)
    return own.map((one) => this.#write(one)).join('')
  }

  #nodeAt(place: Place): AdfNode | null {
    const index = /^<n(\d+)>/.exec(this.text.slice(place.start, place.start + 12))?.[1]
    return index === undefined ? null : (this.#nodes[Number(index)] ?? null)
  }

  /** Whether a place is in a list or a quotation, which contain no headings, rules and tables. */
  #isNested(place: Place | null): boolean {
    for (let one = place?.parent ?? null; one; one = one.parent)
      if (['listItem', 'taskItem', 'blockquote'].includes(this.#nodeAt(one)?.type ?? '')) return true
    return false
  }

  #roleOf(tagName: string): ElementRole {
    const node = this.#nodes[Number(tagName.slice(1))]
    if (!node || /^[bc]/.test(tagName)) return { kind: 'locked', marks: [] }
    if (tagName.startsWith('t')) return { kind: 'block', marks: ['strong'], isTitle: true }
    const own = Array.isArray(node.marks) ? node.marks : []
    const marks = own.flatMap(({ type, attrs }) => {
      if (type === 'link') return [`link:${attrs?.['href']}`]
      const mark = MARKS[type]
      return mark === undefined ? [] : [mark]
    })
    if (node.type === 'text') return { kind: 'inline', marks, isStyled: marks.length < own.length }
    if (node.type === 'hardBreak') return { kind: 'inline', marks: [], token: '\n' }
    if (node.type === 'rule') return { kind: 'block', marks: [], token: '---' }
    if (node.type.startsWith('media') && typeof node.attrs?.['url'] === 'string')
      return { kind: 'locked', marks: [], token: `image ${node.attrs['url']}` }
    if (ATOMS.has(node.type)) return { kind: 'locked', marks: [], isStyled: true }
    return { kind: KINDS[node.type] ?? 'block', marks: [], isCode: node.type === 'codeBlock' }
  }

  #parse(element: HtmlNode): AdfNode[] {
    if ('value' in element) return element.value === '' ? [] : [{ type: 'text', text: element.value }]
    if (!('tagName' in element)) return []
    const node = this.#nodes[Number(element.tagName.slice(1))]
    if (!node || !element.tagName.startsWith('n')) return []
    if (node.type === 'text')
      return element.childNodes.flatMap((child) => this.#parse(child)).map((child) => inMarksOf(node, child))
    if (ATOMS.has(node.type) || CARDS.has(node.type) || node.content === undefined) return [node]
    return [
      {
        ...node,
        ...this.#parseAttributes(element, node),
        content: element.childNodes.flatMap((child) => this.#parse(child)),
      },
    ]
  }

  /** The attributes that an edit can change: the state of a task, and the title of a part that can be expanded. */
  #parseAttributes(element: Element, { type, attrs }: AdfNode): { attrs?: Record<string, unknown> } {
    const index = element.tagName.slice(1)
    const shown = (name: string) => {
      const found = element.childNodes.find((child) => child.nodeName === `${name}${index}`)
      return found && 'childNodes' in found ? found.childNodes.map(textIn).join('') : ''
    }
    const state =
      type === 'taskItem' && shown('b') !== '' ? (shown('b') === boxOf(true) ? 'DONE' : 'TODO') : attrs?.['state']
    const title = typeof attrs?.['title'] === 'string' ? shown('t') : attrs?.['title']
    return state === attrs?.['state'] && title === attrs?.['title']
      ? {}
      : { attrs: { ...attrs, ...(state === undefined ? {} : { state }), ...(title === undefined ? {} : { title }) } }
  }
}

function textIn(node: HtmlNode): string {
  return 'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textIn).join('') : ''
}

/** Text in a text has the marks of both. */
function inMarksOf(outer: AdfNode, node: AdfNode): AdfNode {
  if (node.type !== 'text') return node
  const own = (node.marks ?? []).filter(({ type }) => !outer.marks?.some((mark) => mark.type === type))
  const { marks: _, ...rest } = node
  const marks = [...(outer.marks ?? []), ...own]
  return node.marks === undefined && marks.length === (outer.marks?.length ?? 0)
    ? { ...outer, text: node.text ?? '' }
    : { ...rest, marks }
}

function toTask(item: AdfNode, isDone: boolean): AdfNode {
  const content = childrenOf(childrenOf(item)[0])
  const [box, ...rest] = content
  const shown = box?.type === 'text' && /^[☐☑] $/.test(box.text ?? '') ? rest : content
  return { type: 'taskItem', attrs: { localId: '', state: isDone ? 'DONE' : 'TODO' }, content: shown }
}

function shownText(node: AdfNode): string {
  const parts: string[] = []
  const walk = (one: RootContent | Root) => {
    if ('value' in one) parts.push(one.value)
    else if ('children' in one) for (const child of one.children) walk(child)
  }
  for (const one of toInlineNodes([
    CARDS.has(node.type)
      ? { ...node, type: 'inlineCard' }
      : node.type === 'media'
        ? { ...node, type: 'mediaInline' }
        : node,
  ]))
    walk(one)
  return parts.join('')
}

function writeText(text: string | undefined): string {
  return escapeText(String(text ?? ''))
    .replace(/\r/g, '&#13;')
    .replace(/\0/g, '')
}
