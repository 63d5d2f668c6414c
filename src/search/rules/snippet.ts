import { findPhrase, type Phrase } from './phrase'
import { type Token, tokenize } from './tokenize'

interface Snippet {
  /** Plain text, cut at words; `…` stands where something was left out. */
  snippet: string
  /** UTF-16 offsets into the snippet, half-open, sorted, not overlapping. */
  highlights: [start: number, end: number][]
}

/** What a reader is to be shown in a text. */
export interface HighlightTerms {
  /** What a form is worth to the reader; 0 where the query does not ask for it. */
  worth(form: string): number
  phrases: readonly Phrase[]
}

const LENGTH = 160
/** How far a cut may move to stand between words. */
const LONGEST_STEP = 24
/** What a form is worth when a window holds it once more, of what it was worth at first. */
const AGAIN = 0.1

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
 * The part of some texts that shows best why they were found: the densest cluster of different words of the query, with what stands
 * around it. Without any hit, the beginning of the first text.
 */
export function snippetOf(texts: readonly string[], lookout: HighlightTerms): Snippet {
  let best: { text: string; hits: Hit[]; cluster: Cluster } | null = null
  for (const text of texts) {
    const hits = hitsIn(text, lookout)
    const cluster = bestCluster(hits)
    if (cluster && (!best || cluster.worth > best.cluster.worth)) best = { text, hits, cluster }
  }
  if (best) return cutAround(best.text, best.cluster, best.hits)
  return cutAround(texts.find((text) => text !== '') ?? '', { start: 0, end: 0, worth: 0 }, [])
}

function hitsIn(text: string, { worth, phrases }: HighlightTerms): Hit[] {
  const tokens = tokenize(text)
  const words = tokens
    .map(({ form, start, end }) => ({ form, start, end, worth: worth(form) }))
    .filter((hit) => hit.worth > 0)
  const whole = phrases.flatMap((phrase) => phraseHits(tokens, phrase))
  return [...words, ...whole].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** A phrase is marked as a whole, with the words in it that are worth nothing alone. */
function phraseHits(tokens: readonly Token[], phrase: Phrase): Hit[] {
  const form = phrase.forms.join(' ')
  return findPhrase(tokens, phrase).map(([start, end]) => ({ form, start, end, worth: phrase.forms.length }))
}

/** Of all windows that hold hits, the one whose different forms are worth most. */
function bestCluster(hits: readonly Hit[]): Cluster | null {
  let best: Cluster | null = null
  const seen = new Map<string, number>()
  let worth = 0
  let last = 0
  for (const [first, { start }] of hits.entries()) {
    for (; last < hits.length && (last <= first || hits[last]!.end - start <= LENGTH); last++) {
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

/** Notes one hit more or less, and says what that changes. */
function count(seen: Map<string, number>, hit: Hit, change: 1 | -1): number {
  const before = seen.get(hit.form) ?? 0
  const after = before + change
  seen.set(hit.form, after)
  const isFirst = Math.min(before, after) === 0
  return change * hit.worth * (isFirst ? 1 : AGAIN)
}

function cutAround(text: string, cluster: Cluster, hits: readonly Hit[]): Snippet {
  const spare = Math.max(0, LENGTH - (cluster.end - cluster.start))
  const wanted = Math.max(0, Math.min(cluster.start - Math.floor(spare / 3), text.length - LENGTH))
  const start = Math.min(wanted, cluster.start)
  const from = wordStart(text, start, cluster.start)
  const to = wordEnd(text, Math.max(start + LENGTH, cluster.end), cluster.end)
  const before = from > 0 ? '…' : ''
  const shift = before.length - from
  return {
    snippet: before + text.slice(from, to).trimEnd() + (to < text.length ? '…' : ''),
    highlights: merge(
      hits.filter((hit) => hit.start >= from && hit.end <= to).map((hit) => [hit.start + shift, hit.end + shift]),
    ),
  }
}

/** The first start of a word at or after `offset`, if there is one near enough and not after `limit`. */
function wordStart(text: string, offset: number, limit: number): number {
  if (offset <= 0) return 0
  const space = text.indexOf(' ', offset - 1)
  if (space >= 0 && space < limit && space - offset < LONGEST_STEP) return space + 1
  return isInsideCharacter(text, offset) ? offset - 1 : offset
}

/** The last end of a word at or before `offset`, if there is one near enough and not before `limit`. */
function wordEnd(text: string, offset: number, limit: number): number {
  if (offset >= text.length) return text.length
  const space = text.lastIndexOf(' ', offset)
  if (space >= limit && space > 0 && offset - space < LONGEST_STEP) return space
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
