import { normalizeText } from '../../kernel/text/normalize-text'

export interface Token {
  /** Normalized, at most `LONGEST_FORM` characters. */
  form: string
  /** UTF-16 offsets into the text, half-open. */
  start: number
  end: number
  /**
   * `word` and `sign` (one character of a script without spaces) are in the order of the text.
   * `joined` (`dockDoor` and `dock-door` as `dockdoor`) and `pair` (two adjacent characters) overlap the tokens that they consist of.
   */
  kind: 'word' | 'sign' | 'joined' | 'pair'
}

/** A longer word is truncated. */
const LONGEST_FORM = 64

/** The character classes of an alphabet in regular expression syntax, and the flags of the expressions. */
interface Alphabet {
  /** Letters, digits, combining marks and invisible characters. */
  anyOf: string
  startOf: string
  letter: string
  upper: string
  lower: string
  digit: string
  flag: 'u' | ''
}

const INVISIBLE = String.raw`\u00ad\u200b-\u200d`
const UNICODE: Alphabet = {
  anyOf: String.raw`[\p{L}\p{M}\p{Nd}${INVISIBLE}]`,
  startOf: String.raw`[\p{L}\p{Nd}]`,
  letter: String.raw`\p{L}`,
  upper: String.raw`\p{Lu}`,
  lower: String.raw`\p{Ll}`,
  digit: String.raw`\p{Nd}`,
  flag: 'u',
}
const ASCII: Alphabet = {
  anyOf: '[A-Za-z0-9]',
  startOf: '[A-Za-z0-9]',
  letter: '[A-Za-z]',
  upper: '[A-Z]',
  lower: '[a-z]',
  digit: '[0-9]',
  flag: '',
}

interface Rules {
  /** Letters and digits, with apostrophes and decimal points inside. `C#` and `C++` are complete words. */
  word: RegExp
  /** `dock|Door`, `HTTP|Server`; but not the plural `PDFs`. */
  hump: RegExp
}

function rulesOver({ anyOf, startOf, letter, upper, lower, digit, flag }: Alphabet): Rules {
  return {
    word: new RegExp(
      `${startOf}${anyOf}*(?:['’ʼ]${anyOf}+|(?<=${digit})\\.${digit}${anyOf}*)*` +
        `(?:(?:#|\\+\\+)(?<=(?<!${anyOf})${letter}[#+]+)(?!${anyOf}))?`,
      `g${flag}`,
    ),
    hump: new RegExp(`(?<=${lower})(?=${upper})|(?<=${upper})(?=${upper}${lower}{2})`, flag),
  }
}

const ONLY_ASCII = /^[\0-\x7f]*$/
const asciiRules = rulesOver(ASCII)
let unicodeRules: Rules | null = null

/** The same rules for ASCII text. They are much faster, because compiling the classes of all scripts takes longer than a search. */
function rulesFor(text: string): Rules {
  if (ONLY_ASCII.test(text)) return asciiRules
  unicodeRules ??= rulesOver(UNICODE)
  return unicodeRules
}

const PLAIN_WORD = /^[A-Z]?[a-z0-9]+$/
const JOINER = /^[-‐‑_.]$/

/** The rules for scripts without spaces. */
interface SignRules {
  sign: RegExp
  hasSign: RegExp
  signsOrRest: RegExp
}
let madeSignRules: SignRules | null = null

function signRules(): SignRules {
  madeSignRules ??= makeSignRules()
  return madeSignRules
}

function makeSignRules(): SignRules {
  const spaceless = String.raw`(?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])`
  const sign = String.raw`${spaceless}\p{L}\p{M}*`
  return {
    sign: new RegExp(sign, 'gu'),
    hasSign: new RegExp(sign, 'u'),
    signsOrRest: new RegExp(String.raw`(?:${sign})+|(?:(?!${spaceless}\p{L}).)+`, 'gsu'),
  }
}

/** The tokens of a text. A joined form follows its parts. All other tokens are in the order of the text. */
export function tokenize(text: string): Token[] {
  const rules = rulesFor(text)
  const tokens: Token[] = []
  let chunk = 0
  let words = 0
  let end = -1
  const add = (word: string, start: number) => {
    if (start !== end + 1 || !JOINER.test(text[end]!)) {
      if (words > 1) joinFrom(tokens, chunk)
      chunk = tokens.length
      words = 0
    }
    end = start + word.length
    words += 1
    pushWord(tokens, { word, start, rules })
  }
  if (rules === asciiRules) forEachAsciiWord(text, add)
  else for (const { 0: word, index } of text.matchAll(rules.word)) add(word, index)
  if (words > 1) joinFrom(tokens, chunk)
  return tokens
}

/** Calls back for what the pattern of a word matches. Most words are letters and digits alone, which need no pattern. */
function forEachAsciiWord(text: string, add: (word: string, start: number) => void): void {
  const { word } = asciiRules
  let at = 0
  while (at < text.length) {
    if (ASCII_KINDS[text.charCodeAt(at)] !== LETTER_OR_DIGIT) {
      at += 1
      continue
    }
    const start = at
    do at += 1
    while (at < text.length && ASCII_KINDS[text.charCodeAt(at)] === LETTER_OR_DIGIT)
    if (at < text.length && ASCII_KINDS[text.charCodeAt(at)] === MAY_CONTINUE) {
      word.lastIndex = start
      at = start + word.exec(text)![0].length
    }
    add(text.slice(start, at), start)
  }
}

const LETTER_OR_DIGIT = 1
const MAY_CONTINUE = 2
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[A-Za-z0-9]/.test(character) ? LETTER_OR_DIGIT : /['.#+]/.test(character) ? MAY_CONTINUE : 0
})

interface Found {
  word: string
  start: number
  rules: Rules
}

function pushWord(tokens: Token[], found: Found): void {
  const { word, start } = found
  if (PLAIN_WORD.test(word)) tokens.push(wordToken(word, word.toLowerCase(), start))
  else if (!ONLY_ASCII.test(word) && signRules().hasSign.test(word)) pushSigns(tokens, found)
  else pushParts(tokens, found)
}

function pushParts(tokens: Token[], { word, start, rules }: Found): void {
  const first = tokens.length
  let at = start
  for (const part of word.split(rules.hump)) {
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

/** Text in a script without spaces is indexed by pairs of adjacent characters, and by single characters for queries of one character. */
function pushSigns(tokens: Token[], { word, start, rules }: Found): void {
  const { sign: oneSign, hasSign, signsOrRest } = signRules()
  for (const { 0: run, index } of word.matchAll(signsOrRest)) {
    if (!hasSign.test(run)) {
      pushParts(tokens, { word: run, start: start + index, rules })
      continue
    }
    let before: Token | null = null
    for (const { 0: text, index: offset } of run.matchAll(oneSign)) {
      const from = start + index + offset
      const sign: Token = { form: formOf(text), start: from, end: from + text.length, kind: 'sign' }
      if (sign.form === '') continue // an apostrophe that is a letter, for example in Thai
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
  const folded = normalizeText(word)
  return folded.replace(ONLY_ASCII.test(folded) ? /[^A-Za-z0-9.#+]/g : /[^\p{L}\p{M}\p{Nd}.#+]/gu, '')
}

function cut(form: string): string {
  return form.length > LONGEST_FORM ? form.slice(0, LONGEST_FORM) : form
}
