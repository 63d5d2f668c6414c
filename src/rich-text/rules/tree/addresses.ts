import type { Link, Text } from 'mdast'
import { matchAt } from '../../../kernel/text/match-at'
import { text } from './nodes'

/** The source of an expression for words in brackets, as the marks of redacted text. They end an address. */
export const BRACKETED_WORDS = '\\[\\w{1,20}(?: \\w{1,20}){1,4}\\]'

const BARE = new RegExp(
  `(?<![\\p{L}\\p{N}_@./:-])(?:https?://|www\\.)(?:(?!${BRACKETED_WORDS})[^\\s<>"'\`\\\\])+`,
  'giu',
)
const BRACKETS_NEXT = new RegExp(BRACKETED_WORDS, 'y')

/** Makes links of the addresses in plain text, so that all formats agree where they end. */
export function linkAddresses(value: string): (Text | Link)[] {
  if (!/:\/\/|www\./i.test(value)) return [text(value)]
  const nodes: (Text | Link)[] = []
  let from = 0
  for (const match of value.matchAll(BARE)) {
    const found = trimSentenceEnd(match[0])
    const url = /^www\./i.test(found) ? `http://${found}` : found
    if (!isAddress(url) || matchAt(BRACKETS_NEXT, value, match.index + match[0].length)) continue
    if (match.index > from) nodes.push(text(value.slice(from, match.index)))
    nodes.push({ type: 'link', url, children: [text(found)] })
    from = match.index + found.length
  }
  if (from < value.length) nodes.push(text(value.slice(from)))
  return nodes
}

/** Whether an address runs code or holds a document of its own, which no tracker should be given as a link. */
export function isActive(url: string): boolean {
  // Browsers skip such characters in the name of the scheme.
  return /^(?:javascript|vbscript|data):/i.test([...url.slice(0, 100)].filter((sign) => sign > ' ').join(''))
}

/**
 * Parses a URL, or returns null if it is invalid. It does not use `URL.canParse`, which returns wrong results for non-ASCII letters
 * in Node 20 and 22 once it is compiled.
 */
export function parseUrl(written: string): URL | null {
  try {
    return new URL(written)
  } catch {
    return null
  }
}

/** Returns whether the address has a host and no password. An address with a password remains text. */
function isAddress(href: string): boolean {
  return (
    parseUrl(href) !== null &&
    !/^https?:\/\/[^/?#:]*:[^/?#]*@/i.test(href) &&
    /^https?:\/\/[^/?#]*[\p{L}\p{N}]/iu.test(href)
  )
}

/**
 * Removes characters that GFM does not count as part of an address: the end of a sentence, and closing brackets without an opening
 * one.
 */
function trimSentenceEnd(url: string): string {
  const count: Record<string, number> = {}
  for (const bracket of url.match(/[()[\]{}]/g) ?? []) count[bracket] = (count[bracket] ?? 0) + 1
  let end = url.length
  for (; end > 0; end--) {
    const last = url[end - 1] ?? ''
    if (/[?!.,:;*_~|…”’»]/.test(last)) continue
    const opening = openings[last]
    if (!opening || (count[opening] ?? 0) >= (count[last] ?? 0)) break
    count[last] = (count[last] ?? 0) - 1
  }
  return url.slice(0, end)
}

const openings: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
