import type { ParsedQuery, QueryWord } from './parse-query'
import { stem } from './stem'
import { isStopWord } from './stop-words'
import { nearestForms } from './typo'

/** What the texts of an index are made of. */
export interface Vocabulary {
  /** True where some text holds the term. */
  holds(term: string): boolean
  /** Every form of a word that some text holds, stop words aside. */
  forms(): Iterable<string>
}

/**
 * Terms that are looked up as one: an entity's best of them counts.
 * - `exact`: the word itself, or its stem;
 * - `guess`: what a word that no text holds, or two words written apart, may have meant;
 * - `completion`: longer words that begin with a word that is known, but may still be typed. They only find further entities.
 */
export interface Sought {
  kind: 'exact' | 'guess' | 'completion'
  count: number
  terms: ReadonlyMap<string, number>
}

/** How much a guess counts, of what the word itself would. */
const COMPLETED = 0.8
const REJOINED = 0.8
const MISTYPED = [1, 0.8, 0.6]

/** What is to be looked up for the words of a query. */
export function expand(query: ParsedQuery, vocabulary: Vocabulary): Sought[] {
  const words = query.words.flatMap((word) => soughtFor(word, vocabulary))
  return [...words, ...neighboursAsOne(query, vocabulary)]
}

function soughtFor(word: QueryWord, vocabulary: Vocabulary): Sought[] {
  const term = stem(word.form)
  if (!vocabulary.holds(term)) return guessesFor(word, vocabulary)
  const sought: Sought[] = [{ kind: 'exact', count: word.count, terms: new Map([[term, 1]]) }]
  const completions = completionsOf(word, vocabulary)
  completions.delete(term)
  if (completions.size > 0) sought.push({ kind: 'completion', count: word.count, terms: completions })
  return sought
}

/** A word that no text holds: the beginning of one, two run together, or a mistyped one; the first of these that is found. */
function guessesFor(word: QueryWord, vocabulary: Vocabulary): Sought[] {
  if (word.quoted) return []
  const terms = [completionsOf, partsOf, correctionsOf]
    .values()
    .map((guess) => guess(word, vocabulary))
    .find((found) => found.size > 0)
  return terms ? [{ kind: 'guess', count: word.count, terms }] : []
}

function completionsOf({ form, unfinished }: QueryWord, vocabulary: Vocabulary): Map<string, number> {
  const terms = new Map<string, number>()
  if (!unfinished || !/^\p{L}./u.test(form)) return terms
  for (const longer of vocabulary.forms()) {
    if (longer.startsWith(form)) terms.set(stem(longer), COMPLETED)
  }
  return terms
}

/** `dockdoor` as `dock` and `door`. */
function partsOf({ form }: QueryWord, vocabulary: Vocabulary): Map<string, number> {
  for (let cut = form.length - SHORTEST_PART; cut >= SHORTEST_PART; cut--) {
    const parts = [form.slice(0, cut), form.slice(cut)]
    if (parts.every((part) => vocabulary.holds(stem(part)))) return new Map(parts.map((part) => [stem(part), REJOINED]))
  }
  return new Map()
}
const SHORTEST_PART = 3

function correctionsOf({ form }: QueryWord, vocabulary: Vocabulary): Map<string, number> {
  const { edits, forms } = nearestForms(form, vocabulary.forms())
  return new Map(forms.map((near) => [stem(near), MISTYPED[edits]!]))
}

/** `time out`, where texts say `timeout`. */
function neighboursAsOne(query: ParsedQuery, vocabulary: Vocabulary): Sought[] {
  return query.opening.slice(1).flatMap((second, i) => {
    const first = query.opening[i]!
    const term = stem(first + second)
    if (isStopWord(first) || isStopWord(second) || !vocabulary.holds(term)) return []
    return [{ kind: 'guess' as const, count: 1, terms: new Map([[term, REJOINED]]) }]
  })
}
