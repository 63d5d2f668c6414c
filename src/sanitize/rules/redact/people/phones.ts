import type { Finding, Passage } from '../finding'
import { describeNumber, type NumberForm } from './number-form'

const SEPARATOR = '(?: ?[./‑–-] ?| )'

/** Matches digits in groups like those of a phone number. `findPhoneIn` then decides whether it is one. */
const CANDIDATE = new RegExp(
  `(?<![\\p{L}\\p{N}_.#$€£/\\\\+-])(?:\\+ ?)?(?:\\(\\+?\\d{1,5}\\)|\\d{1,15})(?:${SEPARATOR}?\\(\\d{1,5}\\)|(?:${SEPARATOR}|(?<=\\)))\\d{1,12}){0,7}(?![\\p{L}\\p{N}_%]|[.,:/-]\\d)`,
  'gu',
)
const EXTENSION = /^,? ?(?:x|ext\.?|extension) ?\d{1,6}(?!\d)/i

const CERTAIN_END = /(?<= )(?:1[-.])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-.])\d{3}[-.]\d{4}$/

/** The number of characters before a number that are searched for its label. */
const WINDOW = 48

const PHONE_LABEL =
  /(?:(?<!\p{L})(?:tel(?:efon|efax|ephone|éfono|efono)?|phone|ph|mobile|mobil|mob|cell(?:phone)?|fax|handy|hotline|whatsapp|call|dial|ring|sms|text|téléphone|móvil|rufnummer|contact (?:number|no|nr))|[☎📞📱])(?:[ .:#(-]|number|no(?=[ .:])|nr(?=[ .:])|is|me|us|at|on|him|her|them|support){0,6}$/iu

const OTHER_LABEL =
  /(?:order|\bpo|\bso|sku|part|item|ref(?:erence)?|invoice|ticket|lot|batch|serial|[sp]\/n|gtin|ean|upc|sscc|asn|bol|pro|tracking|container|model|version|build|account|customer|vendor|shipment|load|pallet|seal|truck|trailer|case|claim|\bid|iban|vat|zip|nummer|number|\bno|\bnr|#)[\s.:#=()-]{0,3}$/i

/**
 * Finds phone and fax numbers. A backlog contains many other numbers. A number therefore counts as a phone number only if its
 * format is rare elsewhere (`+49 170 1234567`, `(555) 010-4477`), if its format is likely and no other label precedes it, or if a
 * label such as `Tel.` precedes it.
 */
export function findPhones({ text, isCode }: Passage): Finding[] {
  const findings: Finding[] = []
  for (const match of text.matchAll(CANDIDATE)) {
    const piece = findPhoneIn(match[0], text.slice(Math.max(0, match.index - WINDOW), match.index), isCode(match.index))
    if (!piece) continue
    const start = match.index + piece.from
    const end = match.index + piece.to
    const extension = EXTENSION.exec(text.slice(end, end + 20))?.[0].length ?? 0
    findings.push({ start, end: end + extension, kind: 'phone' })
  }
  return findings
}

/**
 * Finds a phone number next to other numbers. It drops trailing groups one by one, and leading groups only if the format of the
 * rest is certain.
 */
function findPhoneIn(written: string, before: string, isCode: boolean): { from: number; to: number } | null {
  for (let rest = written; /\d.{5}/.test(rest); rest = rest.replace(/(?:(?<!\D)\D+|(?<!\d))\d+\)?$/, '')) {
    if (isPhone(describeNumber(rest), before, isCode)) return { from: 0, to: rest.length }
  }
  const last = isCode ? null : CERTAIN_END.exec(written)
  return last ? { from: last.index, to: written.length } : null
}

function isPhone(form: NumberForm, before: string, isCode: boolean): boolean {
  if (form.international || form.northAmerican === 'brackets') return true
  if (isCode) return false
  if (PHONE_LABEL.test(before)) return form.digits >= 6 && form.digits <= 15 && !form.isDate
  if (OTHER_LABEL.test(before)) return false
  return form.northAmerican === 'joined' || form.national || form.ofCountry
}
