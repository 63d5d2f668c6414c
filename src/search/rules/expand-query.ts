import { findNearestForms, findOneEditForms, maxEditsFor } from './edit-distance'
import { findOtherSpellings, isDottedNumber, meetAtDigit, splitAtDigit } from './number-spellings'
import type { ParsedQuery, QueryWord } from './parse-query'
import { SearchWork } from './search-work'
import { stem } from './stem'
import { isStopWord } from './stop-words'

/** The vocabulary of an index. */
export interface TermDictionary {
  /** How many documents contain the term. A dictionary may stop counting at `MIN_FREQUENT_DOCUMENTS`. */
  countDocuments(term: string): number
  /** Every form of a word in the index that begins with the prefix, except stop words. It may list a form twice. */
  forms(beginning: string): Iterable<string>
  /** The forms, except stop words, that may be so many edits away from the word. It may list others, and a form twice. */
  similarForms(word: string, edits: number): Iterable<string>
  /** True if a text contains the form as one word, not only as `dock-door` or `dockDoor`. */
  hasWrittenForm(form: string): boolean
}

/**
 * Alternative terms that are looked up together. For each entity only the best of them counts.
 * - `exact`: the word itself, by its stem, or a number by its other spelling;
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

/** The maximum number of words to correct, because each is compared with a large part of the vocabulary. A pasted text can have many. */
export const MAX_CORRECTED_WORDS = 32

/** The maximum number of longer words for an unfinished one, in alphabetical order. Their lists of documents are all read. */
export const MAX_COMPLETIONS = 10_000

/** The maximum number of neighboring words of a query that are joined. More are never needed to find a title or text. */
const MAX_JOINED_NEIGHBOURS = 256

const WORTH = { completed: 0.8, reread: 0.8, oneEdit: 0.98, twoEdits: 0.7, neighbour: 0.9 }

/**
 * A word that a single document contains may be a typo that was also made in that document. Words that are one edit away and in at least
 * this many documents are then searched for as well.
 */
export const MIN_FREQUENT_DOCUMENTS = 20
const MAX_RARE_DOCUMENTS = 1
const MIN_RARE_WORD_LENGTH = 5

/** The terms to look up for the words of a query. */
export async function expandQuery(
  query: ParsedQuery,
  vocabulary: TermDictionary,
  work = new SearchWork(),
): Promise<ExpandedTerm[]> {
  const joined = findJoinedForms(query.opening, vocabulary)
  const expanded: ExpandedTerm[] = []
  let corrected = 0
  for (const word of query.words) {
    await work.checkpoint()
    const documents = countDocumentsOf(word, vocabulary)
    const isCorrected = documents === 0 ? !word.literal : mayBeRareTypo(word, documents)
    if (isCorrected) corrected += 1
    const mayCorrect = corrected <= MAX_CORRECTED_WORDS
    expanded.push(...expandWord(word, { joined: joined.get(word.form) ?? [], documents, mayCorrect, vocabulary }))
  }
  return expanded
}

interface Expansion {
  /** The joined forms of the word and its neighbor in the query that texts contain. */
  joined: readonly string[]
  /** The number of documents that contain the word. */
  documents: number
  /** False if enough words of the query have been compared with the vocabulary. */
  mayCorrect: boolean
  vocabulary: TermDictionary
}

function expandWord(word: QueryWord, { joined, documents, mayCorrect, vocabulary }: Expansion): ExpandedTerm[] {
  const { count } = word
  const rereads = joined.map((form) => [stem(form), WORTH.reread] as const)
  if (documents === 0) {
    const guesses = joined.length > 0 ? [new Map(rereads)] : mayCorrect ? guessTerms(word, vocabulary) : []
    return guesses.map((terms) => ({ kind: 'guess', count, terms }))
  }
  const neighbours = mayCorrect && mayBeRareTypo(word, documents) ? findFrequentNeighbours(word, vocabulary) : []
  const terms = new Map([
    ...neighbours.map((neighbour) => [neighbour, WORTH.neighbour] as const),
    ...rereads,
    ...spellingsOf(word).map((form) => [stem(form), 1] as const),
  ])
  const completions = new Map(findCompletions(word, vocabulary))
  for (const known of terms.keys()) completions.delete(known)
  const exact: ExpandedTerm = { kind: 'exact', count, terms }
  return completions.size > 0 ? [exact, { kind: 'completion', count, terms: completions }] : [exact]
}

/** The word, and the other spellings of a number. */
export function spellingsOf({ form, literal }: QueryWord): string[] {
  return literal ? [form] : [form, ...findOtherSpellings(form)]
}

function countDocumentsOf(word: QueryWord, vocabulary: TermDictionary): number {
  return spellingsOf(word).reduce((sum, form) => sum + vocabulary.countDocuments(stem(form)), 0)
}

/** Returns `timeout` for `time` and for `out` in `time out`, and `oauth2` for `oauth` and `2`, if a text contains it. */
function findJoinedForms(opening: readonly string[], vocabulary: TermDictionary): Map<string, string[]> {
  const joined = new Map<string, string[]>()
  for (const { first, second } of listNeighbours(opening)) {
    const form = first + second
    const isKnown = meetAtDigit(first, second)
      ? vocabulary.countDocuments(stem(form)) > 0
      : vocabulary.hasWrittenForm(form)
    if (!isKnown) continue
    for (const part of [first, second]) joined.set(part, [...(joined.get(part) ?? []), form])
  }
  return joined
}

/** The different pairs of adjacent words that may also be written as one. */
export function listNeighbours(opening: readonly string[]): { first: string; second: string }[] {
  const pairs = new Map<string, { first: string; second: string }>()
  const words = opening.slice(0, MAX_JOINED_NEIGHBOURS)
  for (const [i, second] of words.entries()) {
    const first = words[i - 1]
    if (first !== undefined && !isStopWord(first) && !isStopWord(second)) pairs.set(first + second, { first, second })
  }
  return [...pairs.values()]
}

/** @param documents The number of documents that contain the word. The count may stop at `MIN_FREQUENT_DOCUMENTS`. */
export function mayBeRareTypo({ form, literal }: QueryWord, documents: number): boolean {
  if (literal || documents === 0 || documents > MAX_RARE_DOCUMENTS) return false
  return form.length >= MIN_RARE_WORD_LENGTH && maxEditsFor(form) > 0 && !isStopWord(form)
}

function findFrequentNeighbours({ form }: QueryWord, vocabulary: TermDictionary): string[] {
  const near = findOneEditForms(form, vocabulary.similarForms(form, 1)).filter((other) => other[0] === form[0])
  return near.map(stem).filter((term) => vocabulary.countDocuments(term) >= MIN_FREQUENT_DOCUMENTS)
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

function findCompletions(word: QueryWord, vocabulary: TermDictionary): Terms {
  const terms = new Map<string, number>()
  for (const beginning of beginningsOf(word)) {
    for (const longer of vocabulary.forms(beginning)) {
      if (terms.size >= MAX_COMPLETIONS) return terms
      terms.set(stem(longer), WORTH.completed)
    }
  }
  return terms
}

/** The beginnings of longer words that also count: an unfinished word, and the first numbers of a version or an address. */
export function beginningsOf(word: QueryWord): string[] {
  const { form, unfinished, literal } = word
  if (isDottedNumber(form) && !literal)
    return spellingsOf(word).map((spelling) => (unfinished ? spelling : `${spelling}.`))
  return unfinished && beginsAWord(form) ? [form] : []
}

/** Tests ASCII characters first, because compiling the class of all letters takes a millisecond. */
const beginsAWord = (form: string): boolean => /^[a-z0-9]./.test(form) || /^\p{L}./u.test(form)

function findCorrections({ form }: QueryWord, vocabulary: TermDictionary): Terms {
  const mostEdits = maxEditsFor(form)
  if (mostEdits === 0) return new Map()
  const { edits, forms } = findNearestForms(form, vocabulary.similarForms(form, mostEdits))
  const beginningSame = forms.filter((near) => near[0] === form[0])
  return new Map(
    (beginningSame.length > 0 ? beginningSame : forms).map((near) => [
      stem(near),
      edits === 1 ? WORTH.oneEdit : WORTH.twoEdits,
    ]),
  )
}

const MIN_PART_LENGTH = 3

/** Splits `dockdoor` into `dock` and `door`, and `oauth2` into `oauth` and `2`. The longest first part wins. */
function splitCompound({ form }: QueryWord, vocabulary: TermDictionary): Terms[] {
  const atDigit = (splitAtDigit(form) ?? []).filter((part) => vocabulary.countDocuments(stem(part)) > 0)
  if (atDigit.length > 0) return atDigit.map((part) => new Map([[stem(part), WORTH.reread]]))
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
