import type { Root, Table, Text } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Options, toMarkdown } from 'mdast-util-to-markdown'
import { MARK_WORDS } from '../redact/marks'
import { isPlain } from './plain'
import { writeDelimiterRow } from './table'

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
      return atBreak ? [pattern] : only(`([Hh][Tt]{2}[Pp][Ss]?):(?=//)(?!//(?:[A-Za-z\\d.-]*:)?\\[${MARK_WORDS}\\]@)`)
    case '<':
      // This also applies before an address without a host: `<a&b@someone>`.
      if (atBreak || !isPhrasing) return [pattern]
      return only("<(?=[!/?A-Za-z]|[\\w.!#$%&'*+/=?^`{|}~-]{1,64}@)")
    case ']':
      return only(`(?<!\\[${MARK_WORDS})\\]`)
    case '[':
      if (atBreak) {
        // `[a]:` could be a definition and `[ ]` a task. `[UI] Fix it` has no other meaning.
        const [opening] = only('([\\r\\n][\\t ]*)\\[(?!(?![ xX]\\])[^[\\]\\n\\\\]{1,200}\\][^:])')
        return opening ? [{ ...opening, notInConstruct: 'label' }] : []
      }
      // In phrasing, a bracket can only open a footnote. In link text, brackets must balance.
      return isPhrasing ? [{ character, inConstruct: 'phrasing', after: '\\^' }] : only(`\\[(?!${MARK_WORDS}\\])`)
    default:
      return [pattern]
  }
}

let refined: Unsafe[] | undefined

const text: TextHandler & { peek: TextHandler } = (node: Text, parent, state, info) => {
  const { value } = node
  if (isPlain(value)) return value
  const siblings = parent && 'children' in parent ? parent.children : []
  const index = state.indexStack.at(-1) ?? 0
  return state.safe(value, { ...info, beforeNode: siblings[index - 1], afterNode: siblings[index + 1] })
}

text.peek = (node: Text) => node.value.charAt(0)

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
  break: (_node, _parent, state) => (state.stack.includes('tableCell') ? '<br>' : '\\\n'),
}

const options: Options = {
  bullet: '-',
  rule: '-',
  listItemIndent: 'one',
  fences: true,
  resourceLink: false,
  handlers,
  extensions: [gfmToMarkdown()],
}

/** Writes a clean tree as Markdown (GFM), without a line end at the end. */
export function writeMarkdown(root: Root): string {
  return toMarkdown(root, options).replace(/\n$/, '')
}
