import { matchAt } from '../../../kernel/match-at'
import { MARK_PATTERN } from '../redact/marks'
import { isPlain } from './plain'

/** The position of a text, if characters have a special meaning there. */
export type TextPlace = 'line start' | 'within a line' | 'cell' | 'label'

/** Matches the start of a possible table row or delimiter row. */
const TABLE_START = /^-?[:|]/

/** Matches text whose meaning depends on more than one character and its neighbours. */
const COMPLEX = /:\/\/|www\.|\[\^|!\[|\\$|\\\n|\t|\n(?:[ :|]|-[:|])/i
const BRACKETS = new RegExp(`${MARK_PATTERN}|([[\\]])`, 'g')

const SPECIAL_CHARACTER = /_+|[\\`*~<&(|]/g
const ESCAPABLE = /[!-/:-@[-`{-~]/
const LETTER = /[\p{L}\p{N}]/u
const TAG = /<(?:[!/?A-Za-z]|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@)/y
const REFERENCE = /&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z][A-Za-z\d]{0,31});/y

/** Matches the start of a heading, a quote, a heading underline, a list item, a task or a definition. */
const LINE_START = /^(?:(?=[#>=]|[-+](?:[ -]|$)|\[(?![^[\]\n\\]{2,200}\][^:]))|\d+(?=\.(?: |$)|\)))/

/**
 * Writes text as Markdown and escapes each character that could have a special meaning, so that it reads back unchanged. Returns
 * null if that needs closer analysis. Unnecessary escapes in a paragraph are harmless, but missing ones are not.
 */
export function writeSimpleText(value: string, place: TextPlace): string | null {
  if (place === 'label' && hasBracket(value)) return null
  if (place === 'line start' && TABLE_START.test(value)) return null
  if (isPlain(value)) return value
  if (COMPLEX.test(value) || (place === 'cell' && value.includes('\\'))) return null
  const lines = value.split('\n').map((line, index) => {
    const escaped = line.replace(SPECIAL_CHARACTER, (special, at: number) =>
      needsEscape(line, at, special, place) ? special.replace(/./g, '\\$&') : special,
    )
    const start = index > 0 || place === 'line start' ? LINE_START.exec(line)?.[0].length : undefined
    return start === undefined ? escaped : `${escaped.slice(0, start)}\\${escaped.slice(start)}`
  })
  const written = lines.join('\n')
  // Parsers disagree about where something that resembles an e-mail address starts if the text contains escapes.
  return written !== value && value.includes('@') ? null : written
}

function hasBracket(value: string): boolean {
  return [...value.matchAll(BRACKETS)].some(([, bracket]) => bracket !== undefined)
}

function needsEscape(line: string, at: number, special: string, place: TextPlace): boolean {
  switch (special) {
    case '\\':
      return ESCAPABLE.test(line[at + 1] ?? '')
    case '<':
      return matchAt(TAG, line, at) !== null
    case '&':
      return matchAt(REFERENCE, line, at) !== null
    case '(':
      return line[at - 1] === ']'
    case '|':
      return place === 'cell'
    default:
      return !special.startsWith('_') || !isWithinWord(line, at, at + special.length)
  }
}

function isWithinWord(line: string, start: number, end: number): boolean {
  return LETTER.test(line[start - 1] ?? '') && LETTER.test(line[end] ?? '')
}
