import { matchAt } from '../../../../kernel/text/match-at'
import type { Label, Value } from './value'

/** Matches an item of a YAML sequence, one on each line. */
const SEQUENCE_ITEM =
  /[ \t]{0,40}- {1,3}(?:["'](?=[^\s"']{1,200}["'][ \t]*(?:\r?\n|$)))?(?<it>[^\s"'`[\]{}:]{1,200})["']?[ \t]*(?:\r?\n|$)/y

/** Matches what announces a block: `|`, `>-`. */
const BLOCK = /[|>][+-]?\d?[+-]?[ \t]{0,20}(?:#[^\n]{0,200})?\r?\n(?=[ \t]*\S)/y
const BLOCK_LINE = /(?<indent>[ \t]*)(?<it>\S+)[ \t]*(?:\r?\n|$)/y
const MAX_ITEMS = 50
const MAX_KEY_CHARACTERS = 80
/** Matches a key that starts its line, as in YAML. */
const YAML_KEY = /\n[ \t]*(?:- )?["']?[\w.-]*$/
/** Matches the rest of a plain YAML value, which may contain spaces, up to a comment. */
const PLAIN_REST = /(?:[ \t]+(?!#)[^\s"'`<>;,{}[\]=:]+)+(?=[ \t]*(?:\n|$|[ \t]#))/y

/** Returns the lines of a block that hold one value: `password: |` and the next lines. */
export function readBlock(text: string, at: number, { start: labelStart, isCode }: Label): Value | null {
  const open = matchAt(BLOCK, text, at)
  if (!open) return null
  const line = text.slice(text.lastIndexOf('\n', labelStart) + 1, labelStart)
  const outer = /^[ \t]*(?:- )?/.exec(line)?.[0].length ?? 0
  let start = -1
  let end = -1
  for (let from = at + open[0].length; from < text.length; ) {
    const found = matchAt(BLOCK_LINE, text, from)
    const { indent = '', it = '' } = found?.groups ?? {}
    // Paragraphs have lost their indentation.
    if (!found || (isCode ? indent.length <= outer : start >= 0)) break
    if (start < 0) start = from + indent.length
    end = from + indent.length + it.length
    from += found[0].length
  }
  // The lines are one value, whatever joins them.
  return start < 0 ? null : { start, end, quoted: true, written: text.slice(start, end).replace(/\s+/g, '') }
}

/** Returns the items of a sequence, one on each line. */
export function readSequence(text: string, at: number): Value[] {
  const items: Value[] = []
  for (let from = at; items.length < MAX_ITEMS; ) {
    const item = matchAt(SEQUENCE_ITEM, text, from)
    if (!item) break
    const value = item.groups?.['it'] ?? ''
    const start = from + item[0].indexOf(value, item[0].indexOf('- ') + 2)
    items.push({ start, end: start + value.length, quoted: /["']/.test(text[start - 1] ?? '') })
    from += item[0].length
  }
  return items
}

/** Returns where a plain value ends that has spaces. `end` is the end of its first word. */
export function endOfPlain(text: string, { start, isCode }: Label, at: number, end: number): number {
  if (
    !isCode ||
    !text
      .slice(at - 2, at)
      .trimEnd()
      .endsWith(':')
  )
    return end
  const before = text.slice(Math.max(0, start - MAX_KEY_CHARACTERS), start)
  if (!YAML_KEY.test(start <= MAX_KEY_CHARACTERS ? `\n${before}` : before)) return end
  return end + (matchAt(PLAIN_REST, text, end)?.[0].length ?? 0)
}
