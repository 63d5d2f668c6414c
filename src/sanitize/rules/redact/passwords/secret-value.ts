import { isPlaceholder } from './placeholder'

/** A value that follows a label such as `password:` or `api_key =`. */
export interface LabelledValue {
  value: string
  quoted: boolean
  /** The label names a password. Otherwise it names a token or key, and such labels have other uses too. */
  isPassword: boolean
  separator: string
  /** The value is the last text on its line. */
  endsLine: boolean
  /** A semicolon follows the value, as in a connection string. */
  endsPair: boolean
  isCode: boolean
}

/** Matches code that reads the value from elsewhere: `process.env.X`, `getPassword()`. */
const EXPRESSION =
  /^(?:[\w$.]+\(|(?:process|os|env|config|settings|options|args|params|props|request|req|self|this|user|data|model|form|input|dto|body|vault|secrets?|credentials?|environment|configuration|system)\b[.[])/i

/** Matches such code that prose may have, too: a call of a function, a field of an object, and the usual variables. */
const EXPRESSION_IN_PROSE =
  /^(?:[A-Za-z_$]{1,40}\.){0,5}[A-Za-z_$]{2,40}\((?:[A-Za-z_$.]{0,60}\)?)?;?$|^(?:[A-Za-z_$][\w$]{0,40}\.){1,5}\w{0,40}(?:password|passwd|pwd|pass|secret|token|key)$|^(?:process\.env|import\.meta\.env|os\.environ|ENV|config|settings|secrets)(?:\.[A-Za-z_]\w{0,60}){0,5}(?:\[.{0,60})?$/

/** Lists words that specifications use when they describe passwords. */
const WORDS = new Set(
  `required optional mandatory hidden masked encrypted hashed empty none null nil undefined string text varchar char bool boolean
   number int integer object any yes no true false blank unchanged changed invalid valid expired incorrect correct wrong weak strong
   same different missing unknown unset set reset field value input type name must should shall may can cannot will is are was the a an
   at as in on of for to and or not n/a na tbd todo minimum maximum min max see same new old current default default_value provided
   generated random policy rules length validation disabled enabled secure insecure protected sensitive confidential redacted
   removed rotated revoked renewed created deleted updated fail failed passed skipped pending blocked someone here below above
   attached sent stored saved`.split(/\s+/),
)

/** Returns whether the value is a secret rather than a word about one, a type, a placeholder or an expression. */
export function isSecretValue(labelled: LabelledValue): boolean {
  const { value, quoted, isCode } = labelled
  if (value.length < 3 || isPlaceholder(value) || WORDS.has(value.toLowerCase())) return false
  if (!quoted && (isCode ? EXPRESSION : EXPRESSION_IN_PROSE).test(value)) return false
  return labelled.isPassword ? isPasswordValue(labelled) : isTokenValue(labelled)
}

/** Returns whether the value is one word of letters that is not usual in texts about passwords, nor a name of such a value. */
export function isPlainWord(value: string): boolean {
  return /^\p{L}\p{Ll}{3,}$|^\p{Lu}{4,}$/u.test(value) && !WORDS.has(value.toLowerCase()) && !ABOUT_SECRETS.test(value)
}

const ABOUT_SECRETS = /pass|pwd|secret|token|value|hash/i

function isPasswordValue({ value, quoted, separator, endsLine, endsPair, isCode }: LabelledValue): boolean {
  if (quoted) return !/\s/.test(value) || (isCode && separator !== 'is')
  // This is a length or a range of lengths: `password: 12-16 characters`.
  if (/^[\d.,–-]+$/.test(value)) return endsLine && /^\d{4,}$/.test(value)
  if (/\d|[^\p{L}\p{N}._\-/,]/u.test(value)) return true
  if (isCode) return separator === '=' && endsPair
  return separator !== 'is' && endsLine
}

/** Matches a part of an example that replaces random characters. */
const MASKED_PART = /x{8}/i

/** Returns whether the value looks like a generated key: long, without whitespace, letters and digits mixed. */
function isTokenValue({ value }: LabelledValue): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.~:%-]{8,}$/.test(value) && !MASKED_PART.test(value)
}

/** Matches names that end in a number: `TC-104`, `SHA256`, `OAuth2`, `step2`. */
const CAPITALS_AND_NUMBER = /^[A-Z]{1,6}-?\d+$/
const NUMBERED =
  /^(?:v?\d[\w.-]*|(?:sha|md|argon|base|utf|oauth|aes|pbkdf|ntlm|saml|rfc|win|windows|ipv|http|tls|ssl|iso|level|phase|part|rule|type|case|item|step|field|test|version|page|section|chapter|figure|table|option|example|user|login|input|column|passw(?:or)?d|reset|id)[-_]?\d.*|\w*\d(?:st|nd|rd|th)|.*\.[a-z]{2,4})$/i

/**
 * Returns whether the value looks like a password even without a separator before it: it has letters and digits, with or without
 * other characters.
 */
export function isStrongPassword(value: string): boolean {
  if (
    value.length < 6 ||
    isPlaceholder(value) ||
    NUMBERED.test(value) ||
    CAPITALS_AND_NUMBER.test(value) ||
    /@[\w-]+\.|[\\/()]/.test(value)
  )
    return false
  return /\d/.test(value) && /\p{L}/u.test(value) && (/^[A-Za-z\d]+$/.test(value) || /[!@#$%^&*?+=~]/.test(value))
}
