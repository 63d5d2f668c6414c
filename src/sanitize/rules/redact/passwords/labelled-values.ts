import { matchAt } from '../../../../kernel/text/match-at'
import type { Finding, Passage } from '../finding'
import { PASSWORD_LABEL, QUOTE, TOKEN_LABEL } from './password-label'
import { isPlainWord, isSecretValue, isStrongPassword, type LabelledValue } from './secret-value'
import type { Value } from './value'
import { ValueReader } from './value-reader'

/** Matches a type between a name and its value: `password: string = `, `var password string = `. */
const TYPE = `(?:\\s{0,3}:?\\s{1,3}&?(?:'static )?(?:string|str|char|text)\\b(?:\\[\\]|\\?)?(?=\\s{0,3}=))?`

/** Matches what assigns or compares in the languages of programs and settings, and the word of prose. */
const SEPARATOR = '(?:=>|(?<=\\s)-{1,2}>(?=\\s)|[→➔➜]|:{1,3}=|[?.+|]{1,2}=|[!=]={1,2}|[:=：＝]|<-|\\bis\\b)'

/** Matches the space before a value. Without quotes it is on the next line only after a colon, because settings may be empty. */
const AFTER = `(?:(?<=[:：]|is)(?:[ \\t]{0,40}\\r?\\n[ \\t]{1,40}|\\s{0,3})(?! )|\\s{0,40}(?=["'])|[ \\t]{0,40})`

/** Matches the text between a label and its value: `password for the test user : "`, `"password" => '`, `["password"] = `. */
const BETWEEN = `(?:(?<plural>e?s)(?!\\p{L})|[ _-]?\\d{1,2})?(?:\\s(?:for|of)\\s[^\\n:=]{1,40}?)?(?<quote>${QUOTE})?\\]?${TYPE}(?:[ \\t]{4,40}|\\s{0,3})(?<separator>${SEPARATOR})${AFTER}`

const LABELLED = new RegExp(
  `(?:(?<password>${PASSWORD_LABEL})|(?<short>pass(?!\\p{L}))|(?<secret>secret)(?![_-]|\\p{L}| (?![=:]))|${TOKEN_LABEL})${BETWEEN}`,
  'giu',
)

/** This many characters are enough to judge a value. The whole value is removed. */
const JUDGED_CHARACTERS = 512

/** Matches what is before a label that starts its line or clause, or that follows the name of a user. */
const BEGINS_PAIR =
  /(?:\n[ \t]{0,40}(?:[-*•] )?["']?|[,;/(|]\s{0,2}["']?|\b(?:client|app|shared|user|admin|db|root|my)[ _-]|\b(?:user|login|name|account)\w{0,8}["']?\s?[:=]\s?\S{1,40}[\s,;/]{1,3}["']?)$/i
const MAX_CHARACTERS_BEFORE = 100

/** Matches what separates the values of a list in prose. */
const NEXT_IN_PROSE = /\s{0,2}(?:[,;/]|\b(?:and|or)\b)(?:\s(?:and|or)\b)?\s{1,3}(?=\S)/y
const MAX_ITEMS = 20

/** Matches the beginning of an environment variable whose name ends in a label: `PGPASSWORD`, `DB_PASSWORD`. */
const VARIABLE = /[\s"'`;(?&=:/][A-Z0-9_]*$/

/** Finds values after a label that announces a password or key, and a separator. */
export function findLabelledValues({ text, isCode }: Passage): Finding[] {
  const findings: Finding[] = []
  const reader = new ValueReader(text)
  LABELLED.lastIndex = 0
  for (let match = LABELLED.exec(text); match; match = LABELLED.exec(text)) {
    const { password, short, plural, separator = '', quote = '' } = match.groups ?? {}
    const before = textBefore(text, match.index)
    const at = match.index + match[0].length
    // A value may contain the next label: `password: a,password: b`.
    LABELLED.lastIndex = at
    if (short && isPartOfWord(before)) continue
    const isPassword = password !== undefined || short !== undefined
    const label = { start: match.index, quote, isPassword, isCode: isCode(at) }
    const values = [...reader.read(at, label)]
    // A list in prose has no brackets: `passwords: one, two and three`.
    while (plural && values.length < MAX_ITEMS) {
      const last = values.at(-1)
      const next = last && !last.quoted ? matchAt(NEXT_IN_PROSE, text, last.end) : null
      const more = last && next ? reader.read(last.end + next[0].length, label) : []
      if (more.length === 0) break
      values.push(...more)
    }
    for (const value of values) {
      const shown = { isPassword, separator: toAscii(separator.trim()), isCode: label.isCode, ...describe(text, value) }
      if (!isSecret(shown, match, before)) continue
      findings.push({ start: value.start, end: value.end, kind: isPassword ? 'password' : 'token' })
      if (value.quoted) LABELLED.lastIndex = Math.max(at, value.end)
    }
  }
  return findings
}

/** Returns the text before a label, which begins with a line end if it is the first text. */
function textBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_CHARACTERS_BEFORE), at)
  return at <= MAX_CHARACTERS_BEFORE ? `\n${before}` : before
}

/** Returns whether the label is part of a longer word. `bypass` does not announce a password, but `dbPass` does. */
function isPartOfWord(before: string): boolean {
  return (
    /[\p{L}\p{N}]$/u.test(before) &&
    !/(?:^|[^\p{L}])(?:db|smtp|ftp|ssh|user|admin|root|mail|proxy|login)$/iu.test(before)
  )
}

/** In texts of East Asia, a colon is as wide as a letter. */
function toAscii(separator: string): string {
  return separator.replace('：', ':').replace('＝', '=')
}

type Described = LabelledValue & { isFollowedByComma: boolean }

function describe(text: string, { start, end, quoted, written }: Value) {
  return {
    value: written ?? text.slice(start, Math.min(end, start + JUDGED_CHARACTERS)),
    quoted,
    endsLine: /^["'`]?[.;,]?\s{0,80}(?:\n|$)/.test(text.slice(end, end + 80)),
    endsPair: text[end] === ';',
    isFollowedByComma: text[end] === ',',
  }
}

/** Judges a value by its label and the text before that. Some labels have other meanings in prose: `second pass: ok`. */
function isSecret(shown: Described, match: RegExpExecArray, before: string): boolean {
  const { password = '', short, secret, plural } = match.groups ?? {}
  const { value, quoted, separator, endsLine, isCode, isFollowedByComma } = shown
  const isWord = isPlainWord(value) && endsLine && BEGINS_PAIR.test(before)
  if (plural && !quoted && !isStrongPassword(value)) return false
  if (/->|[→➔➜]/.test(separator) && !quoted && !isStrongPassword(value)) return false
  if (short && !quoted && !before.endsWith('_') && !isStrongPassword(value)) return isWord
  if (secret && !quoted && isWord) return !isCode || (separator === ':' && /^[a-z]+$/.test(value) && !isFollowedByComma)
  const isVariable = /^[A-Z]+$/.test(password) && separator === '=' && VARIABLE.test(before)
  if (isVariable && (isPlainWord(value) || (quoted && isSecretValue({ ...shown, isCode: true })))) return true
  return isSecretValue(shown) || (password !== '' && isCode && separator === ':' && isWord)
}
