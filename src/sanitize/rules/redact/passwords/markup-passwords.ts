import { matchAt } from '../../../../kernel/text/match-at'
import { SECRET_LABEL, TAG_OF_SECRET } from '../../../../rich-text'
import type { Finding } from '../finding'
import { marks } from '../marks'
import { isPlaceholder } from './placeholder'
import { isSecretValue } from './secret-value'

/** Matches tags of secrets, and the name of a setting before its value: `<key>Password</key><string>`. */
const ELEMENT = new RegExp(`${TAG_OF_SECRET}|<(?:key|name)>[\\w.: -]{0,60}${SECRET_LABEL}</(?:key|name)>`, 'gi')
/** Matches an element that holds the value of the one before it. */
const INNER = /\s{0,40}<(?:value|string)>/y
const DATA = '<![CDATA['
const MAX_DATA_CHARACTERS = 1_000

/** Matches an element with the key and value of a setting in its attributes, in any order. */
const TAG = /<[\w.:-]{1,60}\s[^<>]{0,1000}>/g
const KEY = new RegExp(`\\s(?:key|name|id|property)=["'][\\w.:-]{0,60}${SECRET_LABEL}["']`, 'i')
const VALUE = /\svalue=(?<quote>["'])(?<it>(?:(?!\k<quote>)[^[\]\n]){2,500})\k<quote>/di

/** Finds passwords and keys in XML: as content of an element, or in an attribute beside their key. */
export function findMarkupPasswords(text: string): Finding[] {
  const findings: Finding[] = []
  if (text.includes('</'))
    for (const { index, 0: element } of text.matchAll(ELEMENT)) {
      const at = index + element.length
      const inner = at + (matchAt(INNER, text, at)?.[0].length ?? 0)
      const { start, end } = contentAt(text, inner)
      if (isSecretContent(text.slice(start, end))) findings.push({ start, end, kind: 'password' })
    }
  if (text.includes('value='))
    for (const { index, 0: tag } of text.matchAll(TAG)) {
      const value = KEY.test(tag) ? VALUE.exec(tag) : null
      const [start, end] = value?.indices?.groups?.['it'] ?? [0, 0]
      if (end > start && !isPlaceholder(tag.slice(start, end)))
        findings.push({ start: index + start, end: index + end, kind: 'password' })
    }
  return findings
}

/** Returns the content of an element without the whitespace around it. */
function contentAt(text: string, from: number): { start: number; end: number } {
  let end = text.indexOf('<', from)
  let start = from
  if (end >= 0 && text.startsWith(DATA, end)) {
    start = end + DATA.length
    const length = text.slice(start, start + MAX_DATA_CHARACTERS).indexOf(']]>')
    end = length < 0 ? -1 : start + length
  } else if (!text.startsWith('</', end)) end = -1
  if (end < 0) return { start, end: start }
  const content = text.slice(start, end)
  start += content.length - content.trimStart().length
  return { start, end: start + content.trim().length }
}

function isSecretContent(value: string): boolean {
  const place = { quoted: true, isPassword: true, separator: '=', endsLine: false, endsPair: false, isCode: false }
  return !value.includes(marks.password) && isSecretValue({ value, ...place })
}
