import type { AlignType, Break, ListItem, Root, Table, Text } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Join, type Options, toMarkdown } from 'mdast-util-to-markdown'
import type { Mention, Styled } from '../../model'
import { BRACKETED_WORDS } from '../tree/addresses'
import { text as textNode } from '../tree/nodes'
import { toMentionLink } from './mention'
import { isPlain } from './plain'

type Handlers = NonNullable<Options['handlers']>
type TextHandler = NonNullable<Handlers['text']>
type State = Parameters<TextHandler>[2]
type Unsafe = State['unsafe'][number]

/**
 * Removes escapes that this document does not need: it has no definition that a bracket could refer to, an entity ends in a
 * semicolon, and only `www.` and `http://` start a link. As a result, `[UI] Fix it`, `[email removed]`, `view.html` and `?a=1&b=2`
 * are written unchanged.
 */
function refine(pattern: Unsafe): Unsafe[] {
  const { character, atBreak, inConstruct } = pattern
  // A custom expression is necessary because the writer assumes for `before` and `after` that one escape covers an adjacent
  // character too.
  const only = (expression: string): Unsafe[] => [{ ...pattern, _compiled: new RegExp(expression, 'g') }]
  const isPhrasing = inConstruct === 'phrasing' || (Array.isArray(inConstruct) && inConstruct.includes('phrasing'))
  switch (character) {
    case '@':
      return []
    case '&':
      return only('&(?=(?:#\\d{1,7}|#[xX][\\dA-Fa-f]{1,6}|[A-Za-z][A-Za-z\\d]{0,31});)')
    case '.':
      return atBreak ? [pattern] : only('((?<![A-Za-z\\d])[Ww]{3})\\.')
    case ':':
      // `https://user:[secret removed]@host` is not escaped, because only a part of it would become a link.
      return atBreak ? [pattern] : only(`([Hh][Tt]{2}[Pp][Ss]?):(?=//)(?!//(?:[A-Za-z\\d.-]*:)?${BRACKETED_WORDS}@)`)
    case '<':
      // This also applies before an address without a host: `<a&b@someone>`.
      if (atBreak || !isPhrasing) return [pattern]
      return only("<(?=[!/?A-Za-z]|[\\w.!#$%&'*+/=?^`{|}~-]{1,64}@)")
    case ']':
      return only(`(?<!${BRACKETED_WORDS.slice(0, -2)})\\]`)
    case '[':
      if (atBreak) {
        // `[a]:` could be a definition and `[ ]` a task. `[UI] Fix it` has no other meaning.
        const [opening] = only('([\\r\\n][\\t ]*)\\[(?!(?![ xX]\\])[^[\\]\\n\\\\]{1,200}\\][^:])')
        return opening ? [{ ...opening, notInConstruct: 'label' }] : []
      }
      // In phrasing, a bracket can only open a footnote. In link text, brackets must balance.
      return isPhrasing ? [{ character, inConstruct: 'phrasing', after: '\\^' }] : only(`(?!${BRACKETED_WORDS})\\[`)
    default:
      return [pattern]
  }
}

let refined: Unsafe[] | undefined

const alignments = { none: '---', left: ':--', center: ':-:', right: '--:' }

/** Writes the row that separates the header of a table from its body. */
function writeDelimiterRow(columns: readonly AlignType[]): string {
  return `| ${columns.map((align) => alignments[align ?? 'none']).join(' | ')} |`
}

const text: TextHandler & { peek: TextHandler } = (node: Text, parent, state, info) => {
  const { value } = node
  if (isPlain(value)) return value
  const siblings = parent && 'children' in parent ? parent.children : []
  const index = state.indexStack.at(-1) ?? 0
  return state.safe(value, { ...info, beforeNode: siblings[index - 1], afterNode: siblings[index + 1] })
}

text.peek = (node: Text) => node.value.charAt(0)

const mention = (node: Mention, parent: Parameters<TextHandler>[1], state: State, info: Parameters<TextHandler>[3]) =>
  state.handle(
    node.account === null ? textNode(`@${node.name}`) : toMentionLink(node.account, node.name),
    parent,
    state,
    info,
  )
mention.peek = ({ account }: Mention) => (account === null ? '@' : '[')

const handlers: Handlers = {
  text,
  root(node: Root, _parent, state, info) {
    refined ??= state.unsafe.flatMap(refine)
    state.unsafe = refined
    return state.containerFlow(node, info)
  },
  /** Writes cells without padding, because one wide cell would widen every row. */
  table(node: Table, _parent, state, info) {
    const exit = state.enter('table')
    const rows = node.children.map((row) => row.children.map((cell) => state.handle(cell, row, state, info)))
    exit()
    const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
    return [...lines.slice(0, 1), writeDelimiterRow(node.align ?? []), ...lines.slice(1)].join('\n')
  },
  // GFM has no other line break within a cell.
  break(node: Break, parent, state) {
    if (state.stack.includes('tableCell')) return '<br>'
    // GitHub knows the kind of an alert by its line, which nothing may follow.
    const [first, second] = parent && 'children' in parent ? parent.children : []
    const isAlert = second === node && first?.type === 'text' && /^\[![A-Z]+\]$/.test(first.value)
    return isAlert && state.stack.includes('blockquote') ? '\n' : '\\\n'
  },
  mention,
  styled: (node: Styled, _parent, state, info) => state.containerPhrasing(node as never, info),
  debris: () => '',
}

/** Returns whether an item needs blank lines. It needs none between a paragraph and the lists that belong to it. */
const isSpread = ({ spread, children }: ListItem) => spread ?? children.filter(({ type }) => type !== 'list').length > 1

/** Tells the blank lines in a list that has not been normalized. */
const joinListParts: Join = (_left, _right, parent) => {
  if ((parent.type !== 'listItem' && parent.type !== 'list') || typeof parent.spread === 'boolean') return undefined
  return (parent.type === 'list' ? parent.children.some(isSpread) : isSpread(parent)) ? 1 : 0
}

const options: Options = {
  join: [joinListParts],
  bullet: '-',
  rule: '-',
  listItemIndent: 'one',
  fences: true,
  resourceLink: false,
  handlers,
  extensions: [gfmToMarkdown()],
}

/** Writes a document as Markdown (GFM), without a line end at the end. It reads back as the same document. */
export function writeMarkdown({ children }: Root): string {
  const shown = children.filter(({ type }) => type !== 'debris')
  return toMarkdown({ type: 'root', children: shown }, options).replace(/\n$/, '')
}
