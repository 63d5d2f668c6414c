import type { MailContent } from './mail-content'
import { isLinkVariable, type LineVariable, lineVariables } from './mail-templates'
import { findTemplateError, formatVariable, splitTemplate } from './template-text'

/** What the body of a text-message webhook can name. */
export const bodyVariables = {
  phone: 'Telephone number of the contact, without spaces: +15005550100',
  phone_digits: 'The same without the +',
  text: 'The message: the subject of the mail about the same event, and the link to accept an offered slot',
  ...lineVariables,
} as const

type BodyVariable = keyof typeof bodyVariables

export function isJsonBody(template: string): boolean {
  return /^\s*[[{]/.test(template)
}

/** Why a body cannot be filled in; null if it can. */
export function findBodyError(template: string): string | null {
  const error = findTemplateError(template, Object.keys(bodyVariables))
  if (error !== null) return error
  const parts = splitTemplate(template)!
  const hasPhone = parts.some((part) => typeof part !== 'string' && part.variable.startsWith('phone'))
  if (!hasPhone) return `must contain ${formatVariable('phone')} or ${formatVariable('phone_digits')}`
  if (isJsonBody(template)) return isJson(template) ? null : NO_JSON
  const literals = parts.filter((part) => typeof part === 'string')
  const isForm = template.split('&').every((pair) => pair.indexOf('=') > 0) && literals.every(isEncoded)
  return isForm ? null : NO_FORM
}

const NO_JSON = 'begins as JSON and is not valid JSON: write each variable between quotes, as in {"to":"{{phone}}"}'
const NO_FORM =
  'must be JSON, which begins with { or [, or a form such as To={{phone}}&Body={{text}}: in a form, write %2B for + and %20 for a space'

/** A variable can be valid JSON only within a text, where its value is escaped. */
function isJson(template: string): boolean {
  try {
    JSON.parse(template)
    return true
  } catch {
    return false
  }
}

/** What a form sends without escaping. A + would be read as a space. */
function isEncoded(literal: string): boolean {
  return /^(?:[\w.~*=&:,;/@!$'()-]|%[0-9A-Fa-f]{2})*$/.test(literal)
}

/** The body for one reader. No value can end the text, or the field of the form, that it is in. */
export function fillBody(template: string, values: Record<BodyVariable, string>): string {
  const encode = isJsonBody(template) ? escapeInJson : escapeInForm
  return splitTemplate(template)!
    .map((part) => (typeof part === 'string' ? part : encode(values[part.variable as BodyVariable])))
    .join('')
}

const escapeInJson = (value: string) => JSON.stringify(value).slice(1, -1)
const escapeInForm = (value: string) => new URLSearchParams([['', value]]).toString().slice(1)

/** Longer messages are refused by gateways, or cost more than they are worth. A link is not counted. */
const MAX_SUBJECT = 300

/** @param subject that of the mail of the same kind, filled in. */
export function toBodyValues(
  { values }: MailContent,
  { subject, phone }: { subject: string; phone: string },
): Record<BodyVariable, string> {
  // Without a public address there is a sentence in place of each link.
  const links = Object.entries(values).filter(([name]) => isLinkVariable(name))
  const withoutSentences = links.map(([name, value]) => [name, URL.canParse(value) ? value : ''])
  const shown: Record<LineVariable, string> = { ...values, ...Object.fromEntries(withoutSentences) }
  return { ...shown, phone, phone_digits: phone.replace('+', ''), text: toText(subject, shown) }
}

/** The subject, and the link to accept if the subject has none. */
function toText(subject: string, { accept_link: accept, decline_link: decline }: Record<LineVariable, string>): string {
  const has = (link: string) => link !== '' && subject.includes(link)
  const shown = has(accept) || has(decline) ? subject : cut(subject)
  return accept === '' || has(accept) ? shown : `${shown} Accept: ${accept}`
}

/** By whole characters. The dots are in the alphabet of text messages, and an ellipsis is not. */
function cut(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_SUBJECT ? text : `${characters.slice(0, MAX_SUBJECT - 3).join('')}...`
}
