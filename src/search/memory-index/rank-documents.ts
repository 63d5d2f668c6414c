import { computeTermWeight } from '../rules/bm25'
import type { ExpandedTerm } from '../rules/expand-query'
import type { Postings } from './postings'

export interface Ranking {
  /** By document. */
  scores: ReadonlyMap<number, Score>
  /** What a term that was looked up is worth: the most that it can add to a score. */
  worth: ReadonlyMap<string, number>
  /** More than any score. */
  ceiling: number
}

export interface Score {
  score: number
  /** False where only guesses and completions found the document. */
  exact: boolean
}

/** Scores every document that holds any of the terms. */
export function rankDocuments(sought: readonly ExpandedTerm[], postings: Postings, total: number): Ranking {
  const scores = new Map<number, Score>()
  const worth = new Map<string, number>()
  let ceiling = 1
  for (const part of orderCompletionsLast(sought)) {
    const impacts = bestImpacts(part, postings)
    const weight = computeTermWeight({ count: part.count, holding: impacts.size, total })
    if (part.kind !== 'completion') ceiling += weight
    for (const [term, share] of part.terms) worth.set(term, Math.max(worth.get(term) ?? 0, weight * share))
    const further = part.kind === 'completion' ? new Set(scores.keys()) : null
    for (const [document, impact] of impacts) {
      if (further?.has(document)) continue
      const known = scores.get(document)
      const exact = part.kind === 'exact' || (known?.exact ?? false)
      scores.set(document, { score: (known?.score ?? 0) + weight * impact, exact })
    }
  }
  return { scores, worth, ceiling }
}

/** Completions last: they find what nothing else has found. */
export function orderCompletionsLast(sought: readonly ExpandedTerm[]): ExpandedTerm[] {
  return [...sought.filter(({ kind }) => kind !== 'completion'), ...sought.filter(({ kind }) => kind === 'completion')]
}

function bestImpacts({ terms }: ExpandedTerm, postings: Postings): Map<number, number> {
  const best = new Map<number, number>()
  for (const [term, share] of terms) {
    postings.each(term, (document, impact) => {
      best.set(document, Math.max(best.get(document) ?? 0, impact * share))
    })
  }
  return best
}
