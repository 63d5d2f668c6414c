import { LINK_MARK, marks, type RemovalKind } from '../../sanitize'

/** Characters shown on each side of a mark. */
const CONTEXT_LENGTH = 30

const MARKS_BY_KIND: Partial<Record<RemovalKind, string>> = { ...marks, 'internal-link': LINK_MARK }

/**
 * Where in a sanitized text something of a kind was taken out: the words around its mark, on one line. It is a piece of the
 * result, so it tells nothing that the result does not. Null for what leaves no mark.
 */
export function findRemovalExcerpt(kind: RemovalKind, sanitized: string): string | null {
  const mark = MARKS_BY_KIND[kind]
  const at = mark === undefined ? -1 : sanitized.indexOf(mark)
  if (mark === undefined || at < 0) return null
  const start = findWordStart(sanitized, Math.max(0, at - CONTEXT_LENGTH))
  const end = findWordEnd(sanitized, Math.min(sanitized.length, at + mark.length + CONTEXT_LENGTH))
  const words = sanitized.slice(start, end).replace(/\s+/g, ' ').trim()
  return `${start > 0 ? '… ' : ''}${words}${end < sanitized.length ? ' …' : ''}`
}

/** Not within a word, unless it is a long one. */
function findWordStart(text: string, from: number): number {
  const blank = text.slice(Math.max(0, from - CONTEXT_LENGTH), from).search(/\s\S*$/)
  return from === 0 || blank < 0 ? from : Math.max(0, from - CONTEXT_LENGTH) + blank + 1
}

function findWordEnd(text: string, to: number): number {
  const blank = text.slice(to, to + CONTEXT_LENGTH).search(/\s/)
  return blank < 0 ? to : to + blank
}
