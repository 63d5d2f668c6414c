import { fold } from './fold'

export interface Token {
  /** Folded, at most `LONGEST_FORM` characters. */
  form: string
  /** UTF-16 offsets into the text, half-open. */
  start: number
  end: number
  /**
   * `word` and `sign` (one character of a script that sets no spaces) follow each other as in the text.
   * `joined` (`dockDoor` and `dock-door` as `dockdoor`) and `pair` (two neighbouring signs) lie over those they are made of.
   */
  kind: 'word' | 'sign' | 'joined' | 'pair'
}

/** A longer word is known by its beginning. */
const LONGEST_FORM = 64

const LETTER = String.raw`[\p{L}\p{M}\p{Nd}\u00ad\u200b-\u200d]`
/** Letters and digits, with apostrophes and decimal points inside; `C#` and `C++` keep their sign. */
const WORD = new RegExp(
  String.raw`[\p{L}\p{Nd}]${LETTER}*(?:['’ʼ]${LETTER}+|(?<=\p{Nd})\.\p{Nd}${LETTER}*)*` +
    String.raw`(?:(?:#|\+\+)(?<=(?<!${LETTER})\p{L}[#+]+)(?!${LETTER}))?`,
  'gu',
)
const PLAIN_WORD = /^[A-Z]?[a-z0-9]+$/
const JOINER = /^[-‐‑_.]$/
/** `dock|Door`, `HTTP|Server`; but not the plural `PDFs`. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u
const SPACELESS = String.raw`(?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])`
const SIGN = new RegExp(String.raw`${SPACELESS}\p{L}\p{M}*`, 'gu')
const HAS_SIGN = new RegExp(SIGN.source, 'u')
const SIGNS_OR_REST = new RegExp(String.raw`(?:${SPACELESS}\p{L}\p{M}*)+|(?:(?!${SPACELESS}\p{L}).)+`, 'gsu')

/** The tokens of a text. A joined form comes after its parts, all else in the order of the text. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let chunk = 0
  let words = 0
  let end = -1
  for (const { 0: word, index: start } of text.matchAll(WORD)) {
    if (start !== end + 1 || !JOINER.test(text[end]!)) {
      if (words > 1) joinFrom(tokens, chunk)
      chunk = tokens.length
      words = 0
    }
    end = start + word.length
    words += 1
    pushWord(tokens, word, start)
  }
  if (words > 1) joinFrom(tokens, chunk)
  return tokens
}

function pushWord(tokens: Token[], word: string, start: number): void {
  if (PLAIN_WORD.test(word)) tokens.push(wordToken(word, word.toLowerCase(), start))
  else if (HAS_SIGN.test(word)) pushSigns(tokens, word, start)
  else pushParts(tokens, word, start)
}

function pushParts(tokens: Token[], word: string, start: number): void {
  const first = tokens.length
  let at = start
  for (const part of word.split(HUMP)) {
    const form = formOf(part)
    if (form !== '') tokens.push(wordToken(part, form, at))
    at += part.length
  }
  joinFrom(tokens, first)
}

/** Adds the joined form of the words from a position on. */
function joinFrom(tokens: Token[], first: number): void {
  const parts = tokens.slice(first).filter((token) => token.kind === 'word')
  if (parts.length < 2) return
  const form = parts.map((part) => part.form).join('')
  tokens.push({ form: cut(form), start: parts[0]!.start, end: parts.at(-1)!.end, kind: 'joined' })
}

/** A script without spaces is found by each two neighbouring signs, and by one sign where a query has no more. */
function pushSigns(tokens: Token[], word: string, start: number): void {
  for (const { 0: run, index } of word.matchAll(SIGNS_OR_REST)) {
    if (!HAS_SIGN.test(run)) {
      pushParts(tokens, run, start + index)
      continue
    }
    let before: Token | null = null
    for (const { 0: text, index: offset } of run.matchAll(SIGN)) {
      const from = start + index + offset
      const sign: Token = { form: formOf(text), start: from, end: from + text.length, kind: 'sign' }
      if (before) tokens.push({ form: before.form + sign.form, start: before.start, end: sign.end, kind: 'pair' })
      tokens.push(sign)
      before = sign
    }
  }
}

function wordToken(text: string, form: string, start: number): Token {
  return { form: cut(form), start, end: start + text.length, kind: 'word' }
}

function formOf(word: string): string {
  const folded = fold(word)
  return /^[a-z0-9]+$/.test(folded) ? folded : folded.replace(/[^\p{L}\p{M}\p{Nd}.#+]/gu, '')
}

function cut(form: string): string {
  return form.length > LONGEST_FORM ? form.slice(0, LONGEST_FORM) : form
}
