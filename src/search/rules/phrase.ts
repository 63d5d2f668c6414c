import { stem } from './stem'
import type { Token } from './tokenize'

/** A sequence of words. */
export interface Phrase {
  forms: string[]
  /** Whether each word must match exactly; otherwise any form of the same stem matches. */
  quoted: boolean
}

/** The consecutive tokens of a text, without those that overlap them. */
export function selectSequentialTokens(tokens: readonly Token[]): Token[] {
  return tokens.filter(isSequential)
}

function isSequential({ kind }: Token): boolean {
  return kind === 'word' || kind === 'sign'
}

/** Finds any number of phrases in one pass over a text. A phrase of a single word is also found in a joined form. */
export class PhraseMatcher {
  readonly #exact: SequenceAutomaton
  readonly #stemmed: SequenceAutomaton
  readonly #ends: { automaton: SequenceAutomaton; node: number }[]
  readonly #stems: StemLookup
  readonly isEmpty: boolean

  constructor(phrases: readonly Phrase[]) {
    this.#exact = new SequenceAutomaton()
    this.#stemmed = new SequenceAutomaton()
    this.#ends = phrases.map(({ forms, quoted }) => {
      const automaton = quoted ? this.#exact : this.#stemmed
      return { automaton, node: automaton.add(quoted ? forms : forms.map(stem)) }
    })
    this.#stems = new StemLookup(phrases.filter(({ quoted }) => !quoted).flatMap(({ forms }) => forms.map(stem)))
    this.#exact.link()
    this.#stemmed.link()
    this.isEmpty = phrases.length === 0
  }

  /** Begins to search one text, whose tokens may come in several chunks. */
  start(): PhraseScan {
    const exact = this.#exact.start()
    const stemmed = this.#stemmed.isEmpty ? null : this.#stemmed.start()
    const formOf = ({ form }: Token) => form
    const stemOf = ({ form }: Token) => this.#stems.of(form)
    return {
      add(tokens) {
        exact.add(tokens, formOf)
        stemmed?.add(tokens, stemOf)
      },
      findPlaces(tokens) {
        const places: PhrasePlace[] = []
        exact.add(tokens, formOf, (place) => places.push(place))
        return places
      },
      contains: (phrase) => {
        const { automaton, node } = this.#ends[phrase]!
        return (automaton === this.#exact ? exact : stemmed!).hasReached(node)
      },
    }
  }
}

/** A place where a phrase was found, in UTF-16 units. */
export interface PhrasePlace {
  start: number
  end: number
  /** The number of its words. */
  words: number
  /** Identifies the phrase. */
  phrase: number
}

/** The search of one text. */
export interface PhraseScan {
  /** Reads the next tokens, for `contains`. */
  add(tokens: readonly Token[]): void
  /** Whether the phrase has been found, by its position among the phrases. */
  contains(phrase: number): boolean
  /** Reads the next tokens, and finds the places of quoted phrases. Of several that end with the same word, only the longest. */
  findPlaces(tokens: readonly Token[]): PhrasePlace[]
}

interface Node {
  next: Map<string, number>
  /** The node of the longest proper suffix. */
  fallback: number
  depth: number
  isEnd: boolean
  /** The node of the longest sequence that ends here; 0 if none does. */
  longest: number
}

/**
 * Searches for sequences of words (Aho & Corasick, "Efficient string matching", 1975). No word of a text is compared twice, so the time does
 * not depend on the number of the sequences or on how they repeat themselves.
 */
class SequenceAutomaton {
  readonly #nodes: Node[] = [createNode(0)]
  readonly #singles = new Map<string, number>()

  get isEmpty(): boolean {
    return this.#nodes.length === 1
  }

  /** @returns the node that is reached where the sequence is found. */
  add(words: readonly string[]): number {
    let at = 0
    for (const word of words) {
      const node = this.#nodes[at]!
      let next = node.next.get(word)
      if (next === undefined) {
        next = this.#nodes.push(createNode(node.depth + 1)) - 1
        node.next.set(word, next)
      }
      at = next
    }
    this.#nodes[at]!.isEnd = true
    if (words.length === 1) this.#singles.set(words[0]!, at)
    return at
  }

  /** Computes the fallbacks, after all sequences have been added. */
  link(): void {
    const queue = [0]
    for (const at of queue) {
      const node = this.#nodes[at]!
      node.longest = node.isEnd ? at : this.#nodes[node.fallback]!.longest
      for (const [word, next] of node.next) {
        this.#nodes[next]!.fallback = at === 0 ? 0 : this.#step(node.fallback, word)
        queue.push(next)
      }
    }
  }

  start() {
    const reached = new Uint8Array(this.#nodes.length)
    /** The starts of the last words of the text, as many as the longest sequence has. */
    const starts = new Array<number>(this.#nodes.reduce((most, { depth }) => Math.max(most, depth), 1))
    let [at, count] = [0, 0]
    const mark = (node: number) => {
      for (let one = node; one !== 0 && reached[one] === 0; one = this.#nodes[one]!.fallback) reached[one] = 1
    }
    return {
      hasReached: (node: number) => reached[node] === 1,
      add: (
        tokens: readonly Token[],
        wordOf: (token: Token) => string | null,
        visit: ((place: PhrasePlace) => void) | null = null,
      ): void => {
        if (this.isEmpty) return
        for (const token of tokens) {
          const word = wordOf(token)
          if (!isSequential(token)) {
            const single = word === null ? undefined : this.#singles.get(word)
            if (single === undefined) continue
            reached[single] = 1
            visit?.({ start: token.start, end: token.end, words: 1, phrase: single })
            continue
          }
          starts[count % starts.length] = token.start
          count += 1
          at = word === null ? 0 : this.#step(at, word)
          if (at === 0) continue
          mark(at)
          if (visit === null) continue
          const phrase = this.#nodes[at]!.longest
          const words = this.#nodes[phrase]!.depth
          if (words === 0) continue
          visit({ start: starts[(count - words) % starts.length]!, end: token.end, words, phrase })
        }
      },
    }
  }

  #step(from: number, word: string): number {
    for (let at = from; ; at = this.#nodes[at]!.fallback) {
      const next = this.#nodes[at]!.next.get(word)
      if (next !== undefined) return next
      if (at === 0) return 0
    }
  }
}

function createNode(depth: number): Node {
  return { next: new Map(), fallback: 0, depth, isEnd: false, longest: 0 }
}

const MAX_CACHED_STEMS = 20_000

/** The stems of words, because texts repeat the same ones, and a service reads many of them. */
const knownStems = new Map<string, string>()

function findStem(form: string): string {
  const known = knownStems.get(form)
  if (known !== undefined) return known
  const found = stem(form)
  if (knownStems.size >= MAX_CACHED_STEMS) knownStems.clear()
  // A copy, because a part of a text keeps all of it in memory.
  const key = Buffer.from(form).toString()
  knownStems.set(key, found === form ? key : found)
  return found
}

/** Stems the words of texts. By its first letter, which stemming never changes, most of a text cannot have a wanted stem. */
export class StemLookup {
  readonly #beginnings: ReadonlySet<number>

  constructor(wanted: Iterable<string>) {
    this.#beginnings = new Set([...wanted].map(beginningOf))
  }

  /** Null if the stem is not wanted. */
  of(form: string): string | null {
    return this.#beginnings.has(beginningOf(form)) ? findStem(form) : null
  }
}

/** The two letters that a word and its stem have in common, as a number. Only `y` becomes `i`: `dying` is `die`. */
function beginningOf(word: string): number {
  const second = word.length > 1 ? word.charCodeAt(1) : 0
  return (word.charCodeAt(0) << 16) | (second === LETTER_Y ? LETTER_I : second)
}

const LETTER_Y = 'y'.charCodeAt(0)
const LETTER_I = 'i'.charCodeAt(0)
