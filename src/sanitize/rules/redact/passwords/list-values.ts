import { matchAt } from '../../../../kernel/text/match-at'
import type { Value } from './value'

/** Longer lists are read only so far. */
const MAX_CHARACTERS = 2_000
const MAX_ITEMS = 50

/** Matches the start of a list of strings: `["`, `array('`, `List.of("`, `new String[] {"`. */
const LIST = /(?:array|\w{1,20}\.(?:of|asList)|new \w{1,20}\[\])?\s?[[({]\s{0,40}(?=\\{0,7}["'`])/y
const NEXT_ITEM = /\s{0,3},\s{0,40}(?=\\{0,7}["'`])/y
const LIST_END = /\s{0,3},?\s{0,40}[\])}]/y
const PLAIN_LIST = /\[(?=[^\s"'[\]{},]{1,200}(?:,\s?[^\s"'[\]{},]{1,200}){0,50}\])/y
const PLAIN_ITEM = /(?<it>[^\s"'[\]{},]{1,200})(?:,\s?)?/y

/**
 * Returns the values of a list, or null if there is none at `at`. The keys of an object are not values.
 * @param readString reads a string in quotes.
 */
export function readList(text: string, at: number, readString: (at: number) => Value | null): Value[] | null {
  const open = matchAt(LIST, text, at)
  if (!open) return readPlainList(text, at)
  const items: Value[] = []
  for (let from = at + open[0].length; items.length < MAX_ITEMS && from - at < MAX_CHARACTERS; ) {
    const item = readString(from)
    if (!item) break
    items.push(item)
    const depth = /^\\*/.exec(text.slice(item.end, item.end + 7))?.[0].length ?? 0
    const after = item.end + depth + 1
    const next = matchAt(NEXT_ITEM, text, after)
    if (!next) return matchAt(LIST_END, text, after) ? items : null
    from = after + next[0].length
  }
  return items
}

/** Returns the values of a YAML list without quotes: `[one, two]`. A single one may be a placeholder. */
function readPlainList(text: string, at: number): Value[] | null {
  if (!matchAt(PLAIN_LIST, text, at)) return null
  const items: Value[] = []
  let from = at + 1
  while (text[from] !== ']') {
    const item = matchAt(PLAIN_ITEM, text, from)
    if (!item) break
    items.push({ start: from, end: from + (item.groups?.['it'] ?? '').length, quoted: false })
    from += item[0].length
  }
  return items.length === 1
    ? items.map((item) => ({ ...item, quoted: true, written: text.slice(at, from + 1) }))
    : items
}
