import { LINK_MARK, marks, type RemovalKind } from '../../sanitize'

/** Characters shown on each side of a mark. */
const AROUND = 30

const markOf: Partial<Record<RemovalKind, string>> = { ...marks, 'internal-link': LINK_MARK }

/**
 * Where in a sanitized text something of a kind was taken out: the words around its mark, on one line. It is a piece of the
 * result, so it tells nothing that the result does not. Null for what leaves no mark.
 */
export function excerptOf(kind: RemovalKind, sanitized: string): string | null {
  const mark = markOf[kind]
  const at = mark === undefined ? -1 : sanitized.indexOf(mark)
  if (mark === undefined || at < 0) return null
  const start = wordStart(sanitized, Math.max(0, at - AROUND))
  const end = wordEnd(sanitized, Math.min(sanitized.length, at + mark.length + AROUND))
  const words = sanitized.slice(start, end).replace(/\s+/g, ' ').trim()
  return `${start > 0 ? '… ' : ''}${words}${end < sanitized.length ? ' …' : ''}`
}

/** Not within a word, unless it is a long one. */
function wordStart(text: string, from: number): number {
  const blank = text.slice(Math.max(0, from - AROUND), from).search(/\s\S*$/)
  return from === 0 || blank < 0 ? from : Math.max(0, from - AROUND) + blank + 1
}

function wordEnd(text: string, to: number): number {
  const blank = text.slice(to, to + AROUND).search(/\s/)
  return blank < 0 ? to : to + blank
}
