import { findCommandPasswords } from './command-passwords'
import { findCookies } from './cookies'
import { type Finding, findAll, type Passage } from './finding'
import { findPasswordCells } from './password-cells'
import { PASSWORD_LABEL } from './password-label'
import { isSecretValue, isStrongPassword } from './secret-value'
import { findUrlPasswords } from './url-passwords'
import { ValueEnds } from './value-ends'

const TOKEN_LABEL =
  'secret(?:[_ -]?access)?(?:[_ -]?key)?|(?:api|access|account|master|encryption|signing|subscription|functions|shared[_ -]?access)[_ -]?key|client[_-]key[_-]data|token|credential|(?<![a-z])(?:pat|sig)'

/** Matches the text between a label and its value: `password for the test user : "`, `"password" => '`. */
const BETWEEN = `(?:\\s(?:for|of)\\s[^\\n:=]{1,40}?)?["'\`]?\\s{0,3}(?<separator>[:=]|=>|:=|\\bis\\b|\\s=\\s)\\s{0,3}`

const LABELLED = new RegExp(
  `(?:(?<password>${PASSWORD_LABEL})|(?<short>pass(?!\\p{L}))|${TOKEN_LABEL})${BETWEEN}`,
  'giu',
)

/** This many characters are enough to judge a value. The whole value is removed. */
const JUDGED_CHARACTERS = 512

/**
 * Matches a strong password directly after its label: `password hunter2!`. A value of lower-case letters and digits must end its
 * clause.
 */
const UNSIGNED = new RegExp(
  `(?:${PASSWORD_LABEL}) {1,2}["'“]?(?<it>[^\\s"'“”\`<>[\\]]{6,64})(?=["'”]?(?:\\s|$))`,
  'dgiu',
)

/** Finds passwords and keys by the label before them, not by their format. */
export function findPasswords(passage: Passage): Finding[] {
  const { text } = passage
  return [
    ...findUrlPasswords(text),
    ...findCommandPasswords(text),
    ...findCookies(text),
    ...findLabelled(passage),
    ...findUnsigned(passage),
    ...findPasswordCells(passage),
  ]
}

function findUnsigned({ text, isCode }: Passage): Finding[] {
  return findAll(text, UNSIGNED, 'password').flatMap((finding) => {
    const value = text.slice(finding.start, finding.end).replace(/(?<![.,:;?)])[.,:;?)]+$/, '')
    const end = finding.start + value.length
    const isPlain = /^[a-z\d]+$/.test(value) && !/^["'”]?(?:[.,;:)!\n]|$)/.test(text.slice(end, end + 2))
    if (isPlain || isCode(finding.start - 1) || !isStrongPassword(value)) return []
    return [{ ...finding, end }]
  })
}

/** Returns whether the label is part of a longer word. `bypass` does not announce a password, but `dbPass` does. */
function isPartOfWord(before: string): boolean {
  return (
    /[\p{L}\p{N}]$/u.test(before) &&
    !/(?:^|[^\p{L}])(?:db|smtp|ftp|ssh|user|admin|root|mail|proxy|login)$/iu.test(before)
  )
}

function findLabelled({ text, isCode }: Passage): Finding[] {
  const findings: Finding[] = []
  const values = new ValueEnds(text)
  LABELLED.lastIndex = 0
  for (let match = LABELLED.exec(text); match; match = LABELLED.exec(text)) {
    const { password, short, separator = '' } = match.groups ?? {}
    const before = text.slice(Math.max(0, match.index - 8), match.index)
    if (short && isPartOfWord(before)) continue
    const isPassword = password !== undefined || short !== undefined
    const { start, end, quoted } = values.behind(match.index + match[0].length, isPassword)
    // A value may contain the next label: `password: a,password: b`.
    LABELLED.lastIndex = start
    const value = text.slice(start, Math.min(end, start + JUDGED_CHARACTERS))
    const labelled = {
      value,
      quoted,
      isPassword,
      separator: separator.trim(),
      endsLine: /^["'`]?[.;,]?\s{0,80}(?:\n|$)/.test(text.slice(end, end + 80)),
      endsPair: text[end] === ';',
      isCode: isCode(start),
    }
    if (!isSecretValue(labelled) || (short && !quoted && !before.endsWith('_') && !isStrongPassword(value))) continue
    findings.push({ start, end, kind: isPassword ? 'password' : 'token' })
    LABELLED.lastIndex = end
  }
  return findings
}
