import type { PhrasingContent } from 'mdast'
import { matchAt } from '../../../kernel/match-at'
import { text } from '../../../rich-text'
import { LINK_MARK, MARK_PATTERN, markOf } from '../redact/marks'
import type { Tally } from '../removal'
import { judgeUrl, parseUrl, type UrlRules } from './url'

const BARE = new RegExp(`(?<![\\p{L}\\p{N}_@./:-])(?:https?://|www\\.)(?:(?!${MARK_PATTERN})[^\\s<>"'\`\\\\])+`, 'giu')
const MARK_NEXT = new RegExp(MARK_PATTERN, 'y')

/**
 * Converts addresses in plain text to links, so that both formats and the reader of the result agree where they end. Within a link
 * (`linked`) they remain text, but the same parts are removed as from a link.
 */
export function linkBareUrls(value: string, linked: boolean, rules: UrlRules, tally: Tally): PhrasingContent[] {
  if (!/:\/\/|www\./i.test(value)) return [text(value)]
  const nodes: PhrasingContent[] = []
  let from = 0
  for (const match of value.matchAll(BARE)) {
    const found = trimSentenceEnd(match[0])
    const href = /^www\./i.test(found) ? `http://${found}` : found
    if (!isAddress(href) || matchAt(MARK_NEXT, value, match.index + match[0].length)) continue
    const verdict = judgeUrl(href, rules)
    if (value.slice(from, match.index) !== '') nodes.push(text(value.slice(from, match.index)))
    from = match.index + found.length
    if (verdict.url === null) {
      nodes.push(text('because' in verdict ? markOf(verdict.because) : LINK_MARK))
      if ('because' in verdict) tally.add(verdict.because)
      continue
    }
    for (const kind of verdict.without) tally.add(kind)
    const label = text(verdict.url === href ? found : verdict.url)
    nodes.push(linked ? label : { type: 'link', url: verdict.url, children: [label] })
  }
  if (from < value.length) nodes.push(text(value.slice(from)))
  return nodes
}

/** Returns whether the address has a host and no password. An address with a password is searched as text instead. */
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
