import { matchAt } from '../../../../kernel/text/match-at'
import type { Finding } from '../finding'
import { PASSWORD_LABEL, QUOTE, TOKEN_LABEL } from './password-label'
import { isSecretValue } from './secret-value'
import type { Value } from './value'
import { ValueReader } from './value-reader'

const NAMES = '(?:name|key|variable|setting|field|parameterkey)'
const VALUES = '(?:value|(?:string|default|parameter|secret)_?value)'
const LABEL = `[\\w.:/-]{0,60}(?:${PASSWORD_LABEL}|${TOKEN_LABEL})\\d?`
const NEXT = '(?:\\s{0,3},\\s{0,40}|[ \\t]{0,3}\\r?\\n[ \\t]{0,40})'
const IS = `${QUOTE}?\\s{0,3}(?::|=>?)\\s{0,3}`

/** Matches the name of a setting and the key of its value: `{"name": "DB_PASSWORD", "value": `, also on two lines as in YAML. */
const NAME_FIRST = new RegExp(`\\b${NAMES}${IS}${QUOTE}?${LABEL}${QUOTE}?${NEXT}${QUOTE}?${VALUES}${IS}`, 'giu')

/** Matches the key of a value that comes before the name of the setting. */
const VALUE_FIRST = new RegExp(`\\b${VALUES}${IS}(?=${QUOTE})`, 'giu')
const NAME_AFTER = new RegExp(`${QUOTE}${NEXT}${QUOTE}?${NAMES}${IS}${QUOTE}?${LABEL}(?!\\w)`, 'iuy')

/** Matches the arguments of a call that sets or reads a setting, up to the second one: `define('DB_PASSWORD', `. */
const ARGUMENTS = new RegExp(`\\(\\s{0,3}${QUOTE}${LABEL}${QUOTE},\\s{0,40}(?=${QUOTE})`, 'giu')
const SETS_OR_READS = /(?:define|set|put|add|append|env|property|default|header)\w{0,40}$/i
const MAX_NAME_CHARACTERS = 50

const HAS_VALUE = /value["'`\\&%]{0,8}(?:\w{0,5};?)\s{0,3}[:=]/i

/** Finds passwords and keys whose name is a value itself, beside them: in objects with a name and a value, and in calls. */
export function findPairedPasswords(text: string): Finding[] {
  return [
    ...(HAS_VALUE.test(text) ? [...findAfter(text, NAME_FIRST), ...findBefore(text)] : []),
    ...(/\(\s{0,3}["'\\&]/.test(text) ? findAfter(text, ARGUMENTS, SETS_OR_READS) : []),
  ]
}

/** @param before matches the text before the pattern. */
function findAfter(text: string, pattern: RegExp, before?: RegExp): Finding[] {
  let reader: ValueReader | undefined
  return [...text.matchAll(pattern)].flatMap((match) => {
    if (before && !before.test(text.slice(Math.max(0, match.index - MAX_NAME_CHARACTERS), match.index))) return []
    const at = match.index + match[0].length
    reader ??= new ValueReader(text)
    const label = { start: match.index, quote: '', isPassword: true, isCode: false }
    return reader.read(at, label).flatMap((value) => findingOf(text, value))
  })
}

function findBefore(text: string): Finding[] {
  let reader: ValueReader | undefined
  return [...text.matchAll(VALUE_FIRST)].flatMap((match) => {
    reader ??= new ValueReader(text)
    const value = reader.string(match.index + match[0].length)
    return value && matchAt(NAME_AFTER, text, value.end) ? findingOf(text, value) : []
  })
}

/** Shorter values, and numbers of up to three digits, are settings and not secrets. */
const OTHER = /^(?:true|false|null|\d{1,3})$|^.{0,3}$/i

function findingOf(text: string, { start, end, quoted, written }: Value): Finding[] {
  const value = written ?? text.slice(start, end)
  const place = { isPassword: true, separator: ':', endsLine: true, endsPair: false, isCode: false }
  if (OTHER.test(value) || !isSecretValue({ value, quoted, ...place })) return []
  return [{ start, end, kind: 'password' }]
}
