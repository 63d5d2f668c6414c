import type { ParsedQuery, QueryWord } from './parse-query'
import { stem } from './stem'
import { isStopWord } from './stop-words'
import { nearestForms } from './typo'

/** What the texts of an index are made of. */
export interface Vocabulary {
  /** True where some text holds the term. */
  holds(term: string): boolean
  /** Every form of a word that some text holds and that begins so, stop words aside. */
  forms(beginning?: string): Iterable<string>
  /** True where some text writes the form as one word, not only as `dock-door` or `dockDoor`. */
  writes(form: string): boolean
}

/**
 * Terms that are looked up as if they were one: of an entity's terms the best counts.
 * - `exact`: the word itself, by its stem;
 * - `guess`: what was meant by a word that no text holds, or by two words written apart;
 * - `completion`: longer words that begin with a known one, which may still be typed. They find further entities and rank none.
 */
export interface Sought {
  kind: 'exact' | 'guess' | 'completion'
  /** How often the query says it. */
  count: number
  /** Each with its worth beside the word itself, up to 1. */
  terms: ReadonlyMap<string, number>
}

/** Of a long text that was pasted, only so many unknown words are taken as mistyped: each is compared with the whole vocabulary. */
export const MOST_CORRECTED = 32

const WORTH = { completed: 0.8, reread: 0.8, oneEdit: 0.98, twoEdits: 0.7 }

/** What is to be looked up for the words of a query. */
export function expand(query: ParsedQuery, vocabulary: Vocabulary): Sought[] {
  const joined = joinedForms(query.opening, vocabulary)
  let corrected = 0
  return query.words.flatMap((word) => {
    const isKnown = vocabulary.holds(stem(word.form))
    if (!isKnown && !word.literal && ++corrected > MOST_CORRECTED) return []
    return soughtFor(word, joined.get(word.form) ?? [], vocabulary)
  })
}

/** @param joined words of the texts that hold this word and its neighbour in the query. */
function soughtFor(word: QueryWord, joined: readonly string[], vocabulary: Vocabulary): Sought[] {
  const { count } = word
  const term = stem(word.form)
  if (!vocabulary.holds(term)) return guessesFor(word, vocabulary).map((terms) => ({ kind: 'guess', count, terms }))
  const terms = new Map([...joined.map((form) => [stem(form), WORTH.reread] as const), [term, 1]])
  const completions = new Map(completionsOf(word, vocabulary))
  for (const known of terms.keys()) completions.delete(known)
  const exact: Sought = { kind: 'exact', count, terms }
  return completions.size > 0 ? [exact, { kind: 'completion', count, terms: completions }] : [exact]
}

/** For `time` and for `out` in `time out`: `timeout`, where texts write that. */
function joinedForms(opening: readonly string[], vocabulary: Vocabulary): Map<string, string[]> {
  const joined = new Map<string, string[]>()
  for (const [i, second] of opening.entries()) {
    const first = opening[i - 1]
    if (first === undefined || isStopWord(first) || isStopWord(second) || !vocabulary.writes(first + second)) continue
    for (const part of [first, second]) joined.set(part, [...(joined.get(part) ?? []), first + second])
  }
  return joined
}

type Terms = ReadonlyMap<string, number>

/** A word that no text holds is the beginning of one, mistyped, or two words in one: the first of these that is found. */
function guessesFor(word: QueryWord, vocabulary: Vocabulary): Terms[] {
  if (word.literal) return []
  const completions = completionsOf(word, vocabulary)
  if (completions.size > 0) return [completions]
  const corrections = correctionsOf(word, vocabulary)
  return corrections.size > 0 ? [corrections] : partsOf(word, vocabulary)
}

function completionsOf({ form, unfinished }: QueryWord, vocabulary: Vocabulary): Terms {
  const terms = new Map<string, number>()
  if (!unfinished || !beginsAWord(form)) return terms
  for (const longer of vocabulary.forms(form)) terms.set(stem(longer), WORTH.completed)
  return terms
}

/** Plain letters are looked at first: the class of all letters takes a new process a millisecond to make. */
const beginsAWord = (form: string): boolean => /^[a-z]./.test(form) || /^\p{L}./u.test(form)

function correctionsOf({ form }: QueryWord, vocabulary: Vocabulary): Terms {
  const { edits, forms } = nearestForms(form, vocabulary.forms())
  const beginningSame = forms.filter((near) => near[0] === form[0])
  return new Map(
    (beginningSame.length > 0 ? beginningSame : forms).map((near) => [
      stem(near),
      edits === 1 ? WORTH.oneEdit : WORTH.twoEdits,
    ]),
  )
}

const SHORTEST_PART = 3

/** `dockdoor` as `dock` and `door`; the longer first part wins. */
function partsOf({ form }: QueryWord, vocabulary: Vocabulary): Terms[] {
  for (let cut = form.length - SHORTEST_PART; cut >= SHORTEST_PART; cut--) {
    const parts = [form.slice(0, cut), form.slice(cut)]
    if (parts.every((part) => !isStopWord(part) && vocabulary.holds(stem(part)))) {
      return parts.map((part) => new Map([[stem(part), WORTH.reread]]))
    }
  }
  return []
}
