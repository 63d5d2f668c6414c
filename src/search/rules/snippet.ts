import type { PhraseMatcher, PhraseScan } from './phrase'
import type { SearchWork } from './search-work'
import type { Token } from './tokenize'
import { tokenizeChunks } from './tokenize-chunks'

interface Snippet {
  /** Plain text, cut at words. `…` replaces omitted text. */
  snippet: string
  /** UTF-16 offsets into the snippet, half-open, sorted, not overlapping. */
  highlights: [start: number, end: number][]
}

/** The terms to highlight in a text. */
export interface HighlightTerms {
  /** The weight of a form; 0 if the query does not contain it. Null if the query has no words. */
  worth: ((form: string) => number) | null
  /** A phrase is highlighted as a whole, including words without weight. */
  phrases: PhraseMatcher
}

const SNIPPET_LENGTH = 160
/** How far a cut may move to be between words. */
const MAX_CUT_SHIFT = 24
/** The weight of a repeated form in a window, relative to its first occurrence. */
const REPEAT_SHARE = 0.1

interface Hit {
  start: number
  end: number
  form: string
  worth: number
}

interface Cluster {
  start: number
  end: number
  worth: number
}

/**
 * The part of the texts that shows best why they were found: the densest cluster of different words of the query, with context. Without
 * hits, the beginning of the first text. A long text is read only until a part of it has hits.
 */
export async function createSnippet(
  texts: readonly string[],
  highlightTerms: HighlightTerms,
  work: SearchWork,
): Promise<Snippet> {
  let best: { text: string; hits: Hit[]; cluster: Cluster } | null = null
  for (const text of texts) {
    const hits = await findFirstHits(text, highlightTerms, work)
    const cluster = findBestCluster(hits)
    if (cluster && (!best || cluster.worth > best.cluster.worth)) best = { text, hits, cluster }
  }
  if (best) return cutAround(best.text, best.cluster, best.hits)
  return cutAround(texts.find((text) => text !== '') ?? '', { start: 0, end: 0, worth: 0 }, [])
}

async function findFirstHits(text: string, highlightTerms: HighlightTerms, work: SearchWork): Promise<Hit[]> {
  if (highlightTerms.worth === null && highlightTerms.phrases.isEmpty) return []
  const scan = highlightTerms.phrases.start()
  for await (const tokens of tokenizeChunks(text, work)) {
    const hits = findHits(tokens, highlightTerms, scan)
    if (hits.length > 0) return hits
  }
  return []
}

function findHits(tokens: readonly Token[], { worth, phrases }: HighlightTerms, scan: PhraseScan): Hit[] {
  const hits: Hit[] = []
  if (worth !== null) {
    for (const { form, start, end } of tokens) {
      const value = worth(form)
      if (value > 0) hits.push({ form, start, end, worth: value })
    }
  }
  if (!phrases.isEmpty) {
    for (const { start, end, words, phrase } of scan.findPlaces(tokens))
      hits.push({ form: `"${phrase}`, start, end, worth: words })
  }
  return hits.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** The window whose distinct forms have the greatest weight. */
function findBestCluster(hits: readonly Hit[]): Cluster | null {
  let best: Cluster | null = null
  const seen = new Map<string, number>()
  let worth = 0
  let last = 0
  for (const [first, { start }] of hits.entries()) {
    for (; last < hits.length && (last <= first || hits[last]!.end - start <= SNIPPET_LENGTH); last++) {
      worth += count(seen, hits[last]!, 1)
    }
    if (!best || worth > best.worth) best = { start, end: endOf(hits.slice(first, last)), worth }
    worth += count(seen, hits[first]!, -1)
  }
  return best
}

function endOf(hits: readonly Hit[]): number {
  return hits.reduce((end, hit) => Math.max(end, hit.end), 0)
}

/** Adds or removes a hit, and returns the change of the weight. */
function count(seen: Map<string, number>, hit: Hit, change: 1 | -1): number {
  const before = seen.get(hit.form) ?? 0
  const after = before + change
  seen.set(hit.form, after)
  const isFirst = Math.min(before, after) === 0
  return change * hit.worth * (isFirst ? 1 : REPEAT_SHARE)
}

function cutAround(text: string, cluster: Cluster, hits: readonly Hit[]): Snippet {
  const spare = Math.max(0, SNIPPET_LENGTH - (cluster.end - cluster.start))
  const wanted = Math.max(0, Math.min(cluster.start - Math.floor(spare / 3), text.length - SNIPPET_LENGTH))
  const start = Math.min(wanted, cluster.start)
  const from = findWordStart(text, start, cluster.start)
  const to = findWordEnd(text, Math.max(start + SNIPPET_LENGTH, cluster.end), cluster.end)
  const before = from > 0 ? '…' : ''
  const shift = before.length - from
  return {
    snippet: before + text.slice(from, to).trimEnd() + (to < text.length ? '…' : ''),
    highlights: merge(
      hits.filter((hit) => hit.start >= from && hit.end <= to).map((hit) => [hit.start + shift, hit.end + shift]),
    ),
  }
}

/** The first start of a word at or after `offset`, if it is near and not after `limit`. */
function findWordStart(text: string, offset: number, limit: number): number {
  if (offset <= 0) return 0
  const space = text.indexOf(' ', offset - 1)
  if (space >= 0 && space < limit && space - offset < MAX_CUT_SHIFT) return space + 1
  return isInsideCharacter(text, offset) ? offset - 1 : offset
}

/** The last end of a word at or before `offset`, if it is near and not before `limit`. */
function findWordEnd(text: string, offset: number, limit: number): number {
  if (offset >= text.length) return text.length
  const space = text.lastIndexOf(' ', offset)
  if (space >= limit && space > 0 && offset - space < MAX_CUT_SHIFT) return space
  return isInsideCharacter(text, offset) ? offset + 1 : offset
}

/** True between the two halves of a surrogate pair. */
function isInsideCharacter(text: string, offset: number): boolean {
  return /[\ud800-\udbff]/.test(text[offset - 1] ?? '') && /[\udc00-\udfff]/.test(text[offset] ?? '')
}

function merge(sorted: [number, number][]): [number, number][] {
  const merged: [number, number][] = []
  for (const [start, end] of sorted) {
    const last = merged.at(-1)
    if (last && start < last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}
