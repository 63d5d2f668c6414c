import { MARK_PATTERN } from '../redact/marks'
import { isPlain } from './plain'

/** What holds a text, as far as a sign in it could mean something else there. */
export type TextPlace = 'line start' | 'within a line' | 'cell' | 'label'

/** What could be a row of a table, or the line under its header. */
const TABLE_START = /^-?[:|]/

/** How this is read depends on more than the sign and its neighbours. */
const COMPLEX = /:\/\/|www\.|\[\^|!\[|\\$|\\\n|\t|\n(?:[ :|]|-[:|])/i
const BRACKETS = new RegExp(`${MARK_PATTERN}|([[\\]])`, 'g')

const SPECIAL_CHARACTER = /_+|[\\`*~<&(|]/g
const ESCAPABLE = /[!-/:-@[-`{-~]/
const LETTER = /[\p{L}\p{N}]/u
const TAG = /<(?:[!/?A-Za-z]|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@)/y
const REFERENCE = /&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z][A-Za-z\d]{0,31});/y

/** A heading, a quote, the line under a heading, a list item; a task or a definition. */
const LINE_START = /^(?:(?=[#>=]|[-+](?:[ -]|$)|\[(?![^[\]\n\\]{2,200}\][^:]))|\d+(?=\.(?: |$)|\)))/

/**
 * Text as Markdown, with escapes wherever a sign could mean something: so it is evident that it is read as it was. Null where
 * that would take a closer look. Escapes are harmless everywhere in a paragraph, missing ones are not.
 */
export function writeSimpleText(value: string, place: TextPlace): string | null {
  if (place === 'label' && hasBracket(value)) return null
  if (place === 'line start' && TABLE_START.test(value)) return null
  if (isPlain(value)) return value
  if (COMPLEX.test(value) || (place === 'cell' && value.includes('\\'))) return null
  const lines = value.split('\n').map((line, index) => {
    const escaped = line.replace(SPECIAL_CHARACTER, (sign, at: number) =>
      needsEscape(line, at, sign, place) ? sign.replace(/./g, '\\$&') : sign,
    )
    const start = index > 0 || place === 'line start' ? LINE_START.exec(line)?.[0].length : undefined
    return start === undefined ? escaped : `${escaped.slice(0, start)}\\${escaped.slice(start)}`
  })
  const written = lines.join('\n')
  // Where an e-mail address begins that only looks like one, its readers do not agree once there are escapes.
  return written !== value && value.includes('@') ? null : written
}

function hasBracket(value: string): boolean {
  return [...value.matchAll(BRACKETS)].some(([, bracket]) => bracket !== undefined)
}

function needsEscape(line: string, at: number, sign: string, place: TextPlace): boolean {
  switch (sign) {
    case '\\':
      return ESCAPABLE.test(line[at + 1] ?? '')
    case '<':
      return isAt(TAG, line, at)
    case '&':
      return isAt(REFERENCE, line, at)
    case '(':
      return line[at - 1] === ']'
    case '|':
      return place === 'cell'
    default:
      return !sign.startsWith('_') || !isWithinWord(line, at, at + sign.length)
  }
}

function isWithinWord(line: string, start: number, end: number): boolean {
  return LETTER.test(line[start - 1] ?? '') && LETTER.test(line[end] ?? '')
}

function isAt(pattern: RegExp, line: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(line)
}
