import { inOrder, type Ranking } from '../rank'
import type { Sought } from '../rules/expand'
import { impactAt, weightOf } from '../rules/score'
import type { Part } from './part'

/** How the documents of one part are ranked. */
export interface PartScores {
  scores: Float64Array
  /** How each was found: not at all, by guesses and completions alone, or as it was written. */
  found: Uint8Array
}

export const GUESSED = 1
export const EXACT = 2

/** Scores every document that holds any of the terms; `rank` does the same over an index in memory. */
export function rankParts(
  sought: readonly Sought[],
  parts: readonly Part[],
  { keyOf, total }: { keyOf(term: string): string; total: number },
): Omit<Ranking, 'scores'> & { parts: PartScores[] } {
  const ranked = parts.map(({ segment }) => ({
    scores: new Float64Array(segment.documents),
    found: new Uint8Array(segment.documents),
  }))
  const gatherers = parts.map((part) => new Gatherer(part))
  const worth = new Map<string, number>()
  let ceiling = 1
  for (const { kind, count, terms } of inOrder(sought)) {
    let holding = 0
    for (const gatherer of gatherers) holding += gatherer.gather(terms, keyOf)
    const weight = weightOf({ count, holding, total })
    if (kind !== 'completion') ceiling += weight
    for (const [term, share] of terms) worth.set(term, Math.max(worth.get(term) ?? 0, weight * share))
    for (const [i, gatherer] of gatherers.entries()) {
      if (kind === 'completion') gatherer.complete(ranked[i]!, weight)
      else gatherer.addTo(ranked[i]!, weight, kind === 'exact' ? EXACT : GUESSED)
    }
  }
  return { parts: ranked, worth, ceiling }
}

/** For the terms that are looked up as one, the best impact of each document of a part. */
class Gatherer {
  readonly #part: Part
  readonly #best: Float64Array
  #documents: Uint16Array = new Uint16Array(0)
  #count = 0

  constructor(part: Part) {
    this.#part = part
    this.#best = new Float64Array(part.segment.documents)
  }

  /** How many documents hold any of them. */
  gather(terms: ReadonlyMap<string, number>, keyOf: (term: string) => string): number {
    const { segment, deleted } = this.#part
    const [best, hasDeleted] = [this.#best, deleted.count > 0]
    let count = 0
    for (const [term, share] of terms) {
      const list = segment.postings(keyOf(term))
      if (!list) continue
      const { documents } = list
      const gathered = this.#withRoomFor(count, documents.length)
      let at = 0
      for (const { step, end } of list.steps) {
        const impact = impactAt(step) * share
        for (; at < end; at++) {
          const document = documents[at]!
          if (hasDeleted && deleted.has(document)) continue
          const known = best[document]!
          if (known === 0) gathered[count++] = document
          if (impact > known) best[document] = impact
        }
      }
    }
    this.#count = count
    return count
  }

  addTo({ scores, found }: PartScores, weight: number, how: number): void {
    const [documents, best, count] = [this.#documents, this.#best, this.#count]
    for (let i = 0; i < count; i++) {
      const document = documents[i]!
      scores[document]! += weight * best[document]!
      if (found[document]! < how) found[document] = how
      best[document] = 0
    }
  }

  /** Completions find what nothing else has found. */
  complete({ scores, found }: PartScores, weight: number): void {
    const [documents, best, count] = [this.#documents, this.#best, this.#count]
    for (let i = 0; i < count; i++) {
      const document = documents[i]!
      if (found[document] === 0) {
        scores[document] = weight * best[document]!
        found[document] = GUESSED
      }
      best[document] = 0
    }
  }

  #withRoomFor(count: number, more: number): Uint16Array {
    if (count + more > this.#documents.length) {
      const larger = new Uint16Array(Math.min(this.#best.length, Math.max(2 * this.#documents.length, count + more)))
      larger.set(this.#documents.subarray(0, count))
      this.#documents = larger
    }
    return this.#documents
  }
}
