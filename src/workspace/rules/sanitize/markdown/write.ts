import type { Root, Text } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkStringify, { type Options } from 'remark-stringify'
import { unified } from 'unified'
import { MARK_WORDS } from '../redact/marks'

type Handlers = NonNullable<Options['handlers']>
type TextHandler = NonNullable<Handlers['text']>
type State = Parameters<TextHandler>[2]
type Unsafe = State['unsafe'][number]

/**
 * Characters that need an escape in some places do not need it here, as the document has no definition that a bracket could
 * refer to, an entity ends in a semicolon, and only `www.` and `http://` begin a link. So `[UI] Fix it`, `[email removed]`,
 * `view.html` and `?a=1&b=2` are written as they are.
 */
function refine(pattern: Unsafe): Unsafe[] {
  const { character, atBreak, inConstruct } = pattern
  // The compiled form is kept on the pattern itself, so a changed one starts without.
  const changed = (change: Partial<Unsafe>): Unsafe[] => [{ ...pattern, _compiled: undefined, ...change }]
  const isPhrasing = inConstruct === 'phrasing' || (Array.isArray(inConstruct) && inConstruct.includes('phrasing'))
  switch (character) {
    case '@':
      return []
    case '&':
      return changed({ after: '(?:#\\d{1,7}|#[xX][\\dA-Fa-f]{1,6}|[A-Za-z][A-Za-z\\d]{0,31});' })
    case '.':
      return atBreak ? [pattern] : changed({ before: '(?<![A-Za-z\\d])[Ww]{3}' })
    case ':':
      // Not in https://user:[secret removed]@host, of which only a part would become a link.
      if (atBreak) return [pattern]
      return changed({ before: '(?<![A-Za-z])[Hh][Tt][Tt][Pp][Ss]?', after: `\\/\\/(?![A-Za-z\\d.-]*:\\[${MARK_WORDS}\\]@)` })
    case ']':
      return changed({ before: `(?<!\\[${MARK_WORDS})` })
    case '[':
      if (atBreak) return changed({ after: `(?!${MARK_WORDS}\\](?:[^:]|$))` })
      // In phrasing a bracket opens a footnote at most; in the text of a link it counts.
      return isPhrasing ? changed({ inConstruct: 'phrasing', after: '\\^' }) : changed({ after: `(?!${MARK_WORDS}\\])` })
    default:
      return [pattern]
  }
}

let refined: Unsafe[] | undefined

/** Text with none of the signs that could mean something anywhere in it, or at its start or end. */
const HARMLESS = /^(?!\d+[.)]|[\s#+=>:-])[^\\`*_~[\]<>&!|\n\t]*(?<![\s#])$/

const text: TextHandler & { peek: TextHandler } = (node: Text, parent, state, info) => {
  const { value } = node
  if (HARMLESS.test(value) && !/:\/\/|www\./i.test(value)) return value
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
  // GFM has no other way to break a line in a cell.
  break: (_node, _parent, state) => (state.stack.includes('tableCell') ? '<br>' : '\\\n'),
}

const writer = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: '-', rule: '-', listItemIndent: 'one', fences: true, resourceLink: false, handlers })
  .freeze()

/** A clean tree as Markdown (GFM), without a line end at its end. */
export function writeMarkdown(root: Root): string {
  return writer.stringify(root).replace(/\n+$/, '')
}
