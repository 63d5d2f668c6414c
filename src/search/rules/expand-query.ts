import { findNearestForms, findOneEditForms, maxEditsFor } from './edit-distance'
import type { ParsedQuery, QueryWord } from './parse-query'
import { stem } from './stem'
import { isStopWord } from './stop-words'

/** What the texts of an index are made of. */
export interface TermDictionary {
  /** How many documents contain the term. A dictionary may stop counting at `MIN_FREQUENT_DOCUMENTS`. */
  countDocuments(term: string): number
  /** Every form of a word that some text holds and that begins so, stop words aside. */
  forms(beginning?: string): Iterable<string>
  /** True where some text writes the form as one word, not only as `dock-door` or `dockDoor`. */
  hasWrittenForm(form: string): boolean
}

/**
 * Terms that are looked up as if they were one: of an entity's terms the best counts.
 * - `exact`: the word itself, by its stem;
 * - `guess`: what was meant by a word that no text holds, or by two words written apart;
 * - `completion`: longer words that begin with a known one, which may still be typed. They find further entities and rank none.
 */
export interface ExpandedTerm {
  kind: 'exact' | 'guess' | 'completion'
  /** How often the query says it. */
  count: number
  /** Each with its worth beside the word itself, up to 1. */
  terms: ReadonlyMap<string, number>
}

/** Of a long text that was pasted, only so many unknown words are taken as mistyped: each is compared with the whole vocabulary. */
export const MAX_CORRECTED_WORDS = 32

const WORTH = { completed: 0.8, reread: 0.8, oneEdit: 0.98, twoEdits: 0.7, neighbour: 0.9 }

/**
 * A word that a single document contains may be a typo that was also made in that document. Words that are one edit away and in at least
 * this many documents are then searched for as well.
 */
export const MIN_FREQUENT_DOCUMENTS = 20
const MAX_RARE_DOCUMENTS = 1
const MIN_RARE_WORD_LENGTH = 5

/** What is to be looked up for the words of a query. */
export function expandQuery(query: ParsedQuery, vocabulary: TermDictionary): ExpandedTerm[] {
  const joined = findJoinedForms(query.opening, vocabulary)
  let corrected = 0
  return query.words.flatMap((word) => {
    const isKnown = vocabulary.countDocuments(stem(word.form)) > 0
    if (!isKnown && !word.literal && ++corrected > MAX_CORRECTED_WORDS) return []
    return expandWord(word, joined.get(word.form) ?? [], vocabulary)
  })
}

/** @param joined words of the texts that hold this word and its neighbour in the query. */
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

/** For `time` and for `out` in `time out`: `timeout`, where texts write that. */
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

/** @param documents how many contain the word; a count that stopped at `MIN_FREQUENT_DOCUMENTS` will do. */
export function mayBeRareTypo({ form, literal }: QueryWord, documents: number): boolean {
  if (literal || documents === 0 || documents > MAX_RARE_DOCUMENTS) return false
  return form.length >= MIN_RARE_WORD_LENGTH && maxEditsFor(form) > 0 && !isStopWord(form)
}

function findFrequentNeighbours({ form }: QueryWord, vocabulary: TermDictionary): string[] {
  const terms = findOneEditForms(form, vocabulary.forms(form[0])).map(stem)
  return terms.filter((term) => vocabulary.countDocuments(term) >= MIN_FREQUENT_DOCUMENTS)
}

type Terms = ReadonlyMap<string, number>

/** A word that no text holds is the beginning of one, mistyped, or two words in one: the first of these that is found. */
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

/** Plain letters are looked at first: the class of all letters takes a new process a millisecond to make. */
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

/** `dockdoor` as `dock` and `door`; the longer first part wins. */
function splitCompound({ form }: QueryWord, vocabulary: TermDictionary): Terms[] {
  for (let cut = form.length - MIN_PART_LENGTH; cut >= MIN_PART_LENGTH; cut--) {
    const parts = [form.slice(0, cut), form.slice(cut)]
    if (parts.every((part) => !isStopWord(part) && vocabulary.countDocuments(stem(part)) > 0)) {
      return parts.map((part) => new Map([[stem(part), WORTH.reread]]))
    }
  }
  return []
}

/** Completions last: they find what nothing else has found. */
export function orderCompletionsLast(sought: readonly ExpandedTerm[]): ExpandedTerm[] {
  return [...sought.filter(({ kind }) => kind !== 'completion'), ...sought.filter(({ kind }) => kind === 'completion')]
}
