import { matchAt } from '../../../../kernel/text/match-at'
import { NextMatch } from '../next-match'
import { endOfPair } from './connection-strings'
import { narrowToDefault, readEnclosed } from './enclosed-values'
import { readList } from './list-values'
import { type QuotationMark, QuotedEnds } from './quoted-ends'
import type { Label, Value } from './value'
import { endOfPlain, readBlock, readSequence } from './yaml-values'

/** Up to this many trailing characters are taken for the end of a sentence or a bracket. More belong to the value. */
const MAX_END_CHARACTERS = 4

/** Characters that may end a sentence or a bracket, with the opening bracket that makes them part of the value. */
const OPENING: Readonly<Record<string, string>> = { '.': '', ',': '', ':': '', ')': '(', ']': '[', '}': '{' }

/** Longer texts in three quotes are read only so far. */
const MAX_CHARACTERS = 2_000
const MAX_PARTS = 8
/** An opening bracket is searched for in the beginning of a value. */
const BEGINNING_CHARACTERS = 80

/** Matches what languages write before a string: `r'…'`, `@"…"`, `$'…'`, `N'…'`. */
const PREFIX = /(?:[bBfFlLnNrRuU]{1,2}|[@$]{1,2}|r#{1,3})(?=["'])/y
const OPEN = /(?<depth>\\{0,7})(?:(?<mark>["'`])|(?<symbol>[“„«‘‹]|&quot;|&apos;|&#3[49];|\\u00(?:22|27)|%2[27]))/y
const CLOSING: Readonly<Record<string, RegExp>> = {
  '“': /[”“\n]/g,
  '„': /[“”\n]/g,
  '«': /[»\n]/g,
  '‘': /[’\n]/g,
  '‹': /[›\n]/g,
  '&quot;': /&quot;|\n/g,
  '&apos;': /&apos;|\n/g,
  '&#34;': /&#34;|\n/g,
  '&#39;': /&#39;|\n/g,
  '\\u0022': /\\u0022|\n/g,
  '\\u0027': /\\u0027|\n/g,
  '%22': /%22|\n/g,
  '%27': /%27|\n/g,
}

/** Matches what joins two strings to one value: `'ab' + 'cd'`. */
const JOIN = /\s{0,3}(?:\+|&|\s\.\s)\s{0,3}(?=["'])/y
/**
 * Reads the value after a label as the language that wrote it does: C-like strings with escapes, also within other strings; YAML,
 * SQL and CSV strings with doubled quotes; plain and block scalars; lists; shell words; the braces of connection strings. Labels
 * must be passed from the start of the text to its end.
 */
export class ValueReader {
  readonly #text: string
  readonly #quoted: QuotedEnds
  readonly #closing = new Map<string, NextMatch>()
  readonly #bare: NextMatch
  readonly #key: NextMatch
  /** Looks further behind an end, so that the others are asked for offsets that do not decrease. */
  readonly #beyond: NextMatch
  readonly #shell: NextMatch
  readonly #mark: NextMatch

  constructor(text: string) {
    this.#text = text
    this.#quoted = new QuotedEnds(text)
    this.#bare = new NextMatch(text, /[\s"'`;]|(?<![-=])>|<(?=[/A-Za-z!])/g)
    this.#key = new NextMatch(text, /[\s"'`;,&]|(?<![-=])>|<(?=[/A-Za-z!])/g)
    this.#beyond = new NextMatch(text, /[\s"'`<>;,]/g)
    this.#shell = new NextMatch(text, /[\s"'`;|<>()]/g)
    this.#mark = new NextMatch(text, /\[secret removed\]/g)
  }

  /** Returns the values at `at`: none, one, or those of a list. */
  read(at: number, label: Label): Value[] {
    if (this.#mark.from(at) === at) return []
    const quoted = this.#string(at, label.quote)
    if (quoted) return [narrowToDefault(this.#text, quoted)]
    const items = readList(this.#text, at, (item) => this.#string(item, '')) ?? readSequence(this.#text, at)
    if (items.length > 0) return items.map((item) => this.#beforeMark(item))
    const single = readEnclosed(this.#text, at) ?? readBlock(this.#text, at, label)
    if (single) return [this.#beforeMark(single)]
    return [this.#plain(at, label)]
  }

  /** Returns a string in quotes, or null if none starts at `at`. */
  string(at: number): Value | null {
    return this.#string(at, '')
  }

  /** Returns a word of a command line, which may consist of several quoted parts: `ab'cd'"ef"`. */
  word(at: number): Value {
    let end = at
    for (let part = 0; part < MAX_PARTS; part++) {
      const quoted = this.#text[end] === '`' ? null : this.#string(end, '')
      if (quoted && part === 0 && this.#mark.from(quoted.start) === quoted.end) return quoted
      const next = quoted ? quoted.end + 1 : this.#shellEnd(end)
      if (next === end) break
      if (quoted && part === 0 && (next === this.#text.length || /[\s`;|<>(),.]/.test(this.#text[next] ?? '')))
        return quoted
      end = next
    }
    return this.#beforeMark({ start: at, end, quoted: false })
  }

  #shellEnd(from: number): number {
    let end = this.#shell.from(from)
    // A backslash makes the next character part of the word.
    while (end < this.#text.length && this.#text[end - 1] === '\\' && end > from && this.#text[end] !== '\n')
      end = this.#shell.from(end + 1)
    return Math.min(end, Math.max(from, this.#mark.from(from)))
  }

  /** Returns the value up to a mark, because what is left of it was removed before. */
  #beforeMark(value: Value): Value {
    const mark = this.#mark.from(value.start)
    return mark < value.end ? { start: value.start, end: mark, quoted: value.quoted } : value
  }

  #string(at: number, labelQuote: string): Value | null {
    const from = at + (matchAt(PREFIX, this.#text, at)?.[0].length ?? 0)
    const open = matchAt(OPEN, this.#text, from)
    if (!open) return null
    const { depth = '', mark, symbol } = open.groups ?? {}
    let start = from + open[0].length
    let end: number | null
    let written: string | undefined
    if (symbol) end = this.#close(symbol, start)
    else {
      const tripled = mark && mark !== '`' && this.#text.startsWith(mark + mark, start) ? mark.repeat(3) : null
      const doubled = labelQuote === '""' && mark === '"' && this.#text[start] === '"' && !tripled ? '""' : null
      const fixed = tripled ?? doubled
      if (fixed) {
        start = from + fixed.length
        const found = this.#text.slice(start, start + MAX_CHARACTERS).indexOf(fixed)
        end = found < 0 ? null : start + found
      } else {
        const joined = this.#joined(mark as QuotationMark, depth.length, start)
        end = joined?.end ?? null
        written = joined?.written
      }
    }
    if (end === null) return null
    if (this.#mark.from(start) < end) return { start, end: start, quoted: true }
    return { start, end, quoted: true, ...(written === undefined ? {} : { written }) }
  }

  #close(symbol: string, start: number): number | null {
    const closing = this.#closing.get(symbol) ?? new NextMatch(this.#text, CLOSING[symbol] ?? /\n/g)
    this.#closing.set(symbol, closing)
    const end = closing.from(start)
    return end < this.#text.length && this.#text[end] !== '\n' ? end : null
  }

  /** Returns the end of a string and of the strings that are joined to it, and their content. */
  #joined(mark: QuotationMark, depth: number, start: number): { end: number; written?: string } | null {
    // Two marks are an empty string.
    if (depth === 0 && this.#text[start] === mark) return { end: start }
    let end = this.#quoted.of(mark, depth, start)
    if (end === null || depth > 0) return end === null ? null : { end }
    const parts = [this.#text.slice(start, Math.min(end, start + MAX_CHARACTERS))]
    for (; parts.length < MAX_PARTS; ) {
      const join = matchAt(JOIN, this.#text, end + 1)
      if (!join) break
      const next = end + 1 + join[0].length
      const further = this.#quoted.of(this.#text[next] as QuotationMark, 0, next + 1)
      if (further === null) break
      parts.push(this.#text.slice(next + 1, Math.min(further, next + MAX_CHARACTERS)))
      end = further
    }
    return parts.length > 1 ? { end, written: parts.join('') } : { end: this.#continued(mark, end) }
  }

  /** A mark before a letter is part of the value, because the text lost the backslash before it: `"ab"cd"`. */
  #continued(mark: QuotationMark, end: number): number {
    if (!/[\p{L}\p{N}]/u.test(this.#text[end + 1] ?? '')) return end
    const next = this.#beyond.from(end + 1)
    return this.#text[next] === mark || next - end > 1 ? next : end
  }

  /** Returns a value without quotes. A key also ends where the next pair of a list begins. */
  #plain(at: number, label: Label): Value {
    const ends = label.isPassword ? this.#bare : this.#key
    const start = matchAt(OPEN, this.#text, at) ? at + 1 : at
    // The first character is part of the value, whatever it is.
    let end = ends.from(/[<>]/.test(this.#text[start] ?? '') ? start + 1 : start)
    if (/["'`]/.test(this.#text[end] ?? '') && this.#text[end - 1] === '\\') end = this.#escapedEnd(end, start)
    const mark = this.#mark.from(start)
    if (mark < end) return { start, end: mark, quoted: false }
    end = endOfPair(this.#text, label, at, end) ?? endOfPlain(this.#text, label, at, end)
    return { start, end: this.#withoutPunctuation(start, end), quoted: false }
  }

  #withoutPunctuation(start: number, end: number): number {
    const beginning = this.#text.slice(start, Math.min(end, start + BEGINNING_CHARACTERS))
    const fewest = Math.max(start, end - MAX_END_CHARACTERS)
    let last = end
    for (; last > fewest; last--) {
      const character = this.#text[last - 1] ?? ''
      const opening = OPENING[character]
      if (opening === undefined || (opening !== '' && beginning.includes(opening))) break
    }
    return last
  }

  /** A quotation mark after a backslash closes a string around the value, or is part of a shell word: `ab\"cd`. */
  #escapedEnd(end: number, start: number): number {
    if (/[\p{L}\p{N}]/u.test(this.#text[end + 1] ?? '')) return this.#beyond.from(end + 1)
    let before = end
    while (before > start && this.#text[before - 1] === '\\') before--
    return before
  }
}
