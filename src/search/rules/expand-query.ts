import { findNearestForms, findOneEditForms, maxEditsFor } from './edit-distance'
import type { ParsedQuery, QueryWord } from './parse-query'
import { stem } from './stem'
import { isStopWord } from './stop-words'

/** The vocabulary of an index. */
export interface TermDictionary {
  /** How many documents contain the term. A dictionary may stop counting at `MIN_FREQUENT_DOCUMENTS`. */
  countDocuments(term: string): number
  /** Every form of a word in the index that begins with the prefix, except stop words. It may list a form twice. */
  forms(beginning?: string): Iterable<string>
  /** True if a text contains the form as one word, not only as `dock-door` or `dockDoor`. */
  hasWrittenForm(form: string): boolean
}

/**
 * Alternative terms that are looked up together. For each entity only the best of them counts.
 * - `exact`: the word itself, by its stem;
 * - `guess`: a correction of a word that no text contains, or the joined form of two words;
 * - `completion`: longer words that begin with a known word that may be unfinished. They add entities but do not change ranks.
 */
export interface ExpandedTerm {
  kind: 'exact' | 'guess' | 'completion'
  /** How often the query contains it. */
  count: number
  /** Each term with its weight relative to the word itself, at most 1. */
  terms: ReadonlyMap<string, number>
}

/** The maximum number of unknown words to correct, because each is compared with the whole vocabulary. A pasted text can have many. */
export const MAX_CORRECTED_WORDS = 32

const WORTH = { completed: 0.8, reread: 0.8, oneEdit: 0.98, twoEdits: 0.7, neighbour: 0.9 }

/**
 * A word that a single document contains may be a typo that was also made in that document. Words that are one edit away and in at least
 * this many documents are then searched for as well.
 */
export const MIN_FREQUENT_DOCUMENTS = 20
const MAX_RARE_DOCUMENTS = 1
const MIN_RARE_WORD_LENGTH = 5

/** The terms to look up for the words of a query. */
export function expandQuery(query: ParsedQuery, vocabulary: TermDictionary): ExpandedTerm[] {
  const joined = findJoinedForms(query.opening, vocabulary)
  let corrected = 0
  return query.words.flatMap((word) => {
    const isKnown = vocabulary.countDocuments(stem(word.form)) > 0
    if (!isKnown && !word.literal && ++corrected > MAX_CORRECTED_WORDS) return []
    return expandWord(word, joined.get(word.form) ?? [], vocabulary)
  })
}

/** @param joined The joined forms of this word and its neighbor in the query that texts contain. */
function expandWord(word: QueryWord, joined: readonly string[], vocabulary: TermDictionary): ExpandedTerm[] {
  const { count } = word
  const term = stem(word.form)
  const documents = vocabulary.countDocuments(term)
  if (documents === 0) return guessTerms(word, vocabulary).map((terms) => ({ kind: 'guess', count, terms }))
  const neighbours = mayBeRareTypo(word, documents) ? findFrequentNeighbours(word, vocabulary) : []
  const terms = new Map([
    ...neighbours.map((neighbour) => [neighbour, WORTH.neighbour] as const),
    ...joined.map((form) => [stem(form), WORTH.reread] as const),
    [term, 1],
  ])
  const completions = new Map(findCompletions(word, vocabulary))
  for (const known of terms.keys()) completions.delete(known)
  const exact: ExpandedTerm = { kind: 'exact', count, terms }
  return completions.size > 0 ? [exact, { kind: 'completion', count, terms: completions }] : [exact]
}

/** Returns `timeout` for `time` and for `out` in `time out`, if a text contains it. */
function findJoinedForms(opening: readonly string[], vocabulary: TermDictionary): Map<string, string[]> {
  const joined = new Map<string, string[]>()
  for (const [i, second] of opening.entries()) {
    const first = opening[i - 1]
    if (first === undefined || isStopWord(first) || isStopWord(second) || !vocabulary.hasWrittenForm(first + second))
      continue
    for (const part of [first, second]) joined.set(part, [...(joined.get(part) ?? []), first + second])
  }
  return joined
}

/** @param documents The number of documents that contain the word. The count may stop at `MIN_FREQUENT_DOCUMENTS`. */
export function mayBeRareTypo({ form, literal }: QueryWord, documents: number): boolean {
  if (literal || documents === 0 || documents > MAX_RARE_DOCUMENTS) return false
  return form.length >= MIN_RARE_WORD_LENGTH && maxEditsFor(form) > 0 && !isStopWord(form)
}

function findFrequentNeighbours({ form }: QueryWord, vocabulary: TermDictionary): string[] {
  const terms = findOneEditForms(form, vocabulary.forms(form[0])).map(stem)
  return terms.filter((term) => vocabulary.countDocuments(term) >= MIN_FREQUENT_DOCUMENTS)
}

type Terms = ReadonlyMap<string, number>

/** An unknown word is completed, corrected or split in two: the first of these that succeeds is used. */
function guessTerms(word: QueryWord, vocabulary: TermDictionary): Terms[] {
  if (word.literal) return []
  const completions = findCompletions(word, vocabulary)
  if (completions.size > 0) return [completions]
  const corrections = findCorrections(word, vocabulary)
  return corrections.size > 0 ? [corrections] : splitCompound(word, vocabulary)
}

function findCompletions({ form, unfinished }: QueryWord, vocabulary: TermDictionary): Terms {
  const terms = new Map<string, number>()
  if (!unfinished || !beginsAWord(form)) return terms
  for (const longer of vocabulary.forms(form)) terms.set(stem(longer), WORTH.completed)
  return terms
}

/** Tests ASCII letters first, because compiling the class of all letters takes a millisecond. */
const beginsAWord = (form: string): boolean => /^[a-z]./.test(form) || /^\p{L}./u.test(form)

function findCorrections({ form }: QueryWord, vocabulary: TermDictionary): Terms {
  const { edits, forms } = findNearestForms(form, vocabulary.forms())
  const beginningSame = forms.filter((near) => near[0] === form[0])
  return new Map(
    (beginningSame.length > 0 ? beginningSame : forms).map((near) => [
      stem(near),
      edits === 1 ? WORTH.oneEdit : WORTH.twoEdits,
    ]),
  )
}

const MIN_PART_LENGTH = 3

/** Splits `dockdoor` into `dock` and `door`. The longest first part wins. */
function splitCompound({ form }: QueryWord, vocabulary: TermDictionary): Terms[] {
  for (let cut = form.length - MIN_PART_LENGTH; cut >= MIN_PART_LENGTH; cut--) {
    const parts = [form.slice(0, cut), form.slice(cut)]
    if (parts.every((part) => !isStopWord(part) && vocabulary.countDocuments(stem(part)) > 0)) {
      return parts.map((part) => new Map([[stem(part), WORTH.reread]]))
    }
  }
  return []
}

/** Puts completions last, because they only add entities that no other term has found. */
export function orderCompletionsLast(sought: readonly ExpandedTerm[]): ExpandedTerm[] {
  return [...sought.filter(({ kind }) => kind !== 'completion'), ...sought.filter(({ kind }) => kind === 'completion')]
}
