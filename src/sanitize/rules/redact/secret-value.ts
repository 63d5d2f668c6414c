/** What was found behind a label such as `password:` or `api_key =`. */
export interface LabelledValue {
  value: string
  quoted: boolean
  /** The label names a password; else a token or key, whose label is used for other things too. */
  isPassword: boolean
  sign: string
  /** Nothing else stands behind it on its line. */
  endsLine: boolean
  /** A semicolon stands behind it: a pair of a connection string. */
  endsPair: boolean
  isCode: boolean
}

/** `${…}`, `{{…}}`, `%…%`, `$(…)`, `<…>`, `***`, `xxxx`, `...`: something to be filled in, or masked already. */
const PLACEHOLDER = /^(?:\$[({]|\{|%[\w.-]+%$|<|\*+$|[xX•●]{3,}$|\.{2,}|_+$|-+$|\[|#\{|@\{)/

/** Reading the value from somewhere: `process.env.X`, `getPassword()`. */
const EXPRESSION =
  /^(?:[\w$.]+\(|(?:process|os|env|config|settings|options|args|params|props|request|req|self|this|user|data|model|form|input|dto|body|vault|secrets?|credentials?|environment|configuration|system)\b[.[])/i

/** Words of a specification that speaks of passwords. */
const WORDS = new Set(
  `required optional mandatory hidden masked encrypted hashed empty none null nil undefined string text varchar char bool boolean
   number int integer object any yes no true false blank unchanged changed invalid valid expired incorrect correct wrong weak strong
   same different missing unknown unset set reset field value input type name must should shall may can cannot will is are was the a an
   at as in on of for to and or not n/a na tbd todo minimum maximum min max see same new old current default default_value provided
   generated random policy rules length validation disabled enabled secure insecure protected sensitive confidential redacted
   removed someone here below above attached sent stored saved`.split(/\s+/),
)

/** Whether it is a secret itself, rather than a word about one, a type, a placeholder or an expression. */
export function isSecretValue(said: LabelledValue): boolean {
  const { value, quoted, isCode } = said
  if (value.length < 3 || PLACEHOLDER.test(value) || WORDS.has(value.toLowerCase())) return false
  if (isCode && !quoted && EXPRESSION.test(value)) return false
  return said.isPassword ? isPasswordValue(said) : isTokenValue(said)
}

function isPasswordValue({ value, quoted, sign, endsLine, endsPair, isCode }: LabelledValue): boolean {
  if (quoted) return !/\s/.test(value) || (isCode && sign !== 'is')
  // A length or a range of lengths: `password: 12-16 characters`.
  if (/^[\d.,–-]+$/.test(value)) return endsLine && /^\d{4,}$/.test(value)
  if (/\d|[^\p{L}\p{N}._\-/,]/u.test(value)) return true
  if (isCode) return sign === '=' && endsPair
  return sign !== 'is' && endsLine
}

/** Keys are made by machines: long, without blanks, letters and digits mixed. */
function isTokenValue({ value }: LabelledValue): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.~:%-]{8,}$/.test(value)
}

/** `TC-104`, `SHA256`, `OAuth2`, `step2`: names that end in a number. */
const CAPITALS_AND_NUMBER = /^[A-Z]{1,6}-?\d+$/
const NUMBERED =
  /^(?:v?\d[\w.-]*|(?:sha|md|argon|base|utf|oauth|aes|pbkdf|ntlm|saml|rfc|win|windows|ipv|http|tls|ssl|iso|level|phase|part|rule|type|case|item|step|field|test|version|page|section|chapter|figure|table|option|example|user|login|input|column|passw(?:or)?d|reset|id)[-_]?\d.*|\w*\d(?:st|nd|rd|th)|.*\.[a-z]{2,4})$/i

/** It looks like a password also where no sign says that one follows: letters and digits, with or without further signs. */
export function isStrongPassword(value: string): boolean {
  if (
    value.length < 6 ||
    PLACEHOLDER.test(value) ||
    NUMBERED.test(value) ||
    CAPITALS_AND_NUMBER.test(value) ||
    /@[\w-]+\.|[\\/()]/.test(value)
  )
    return false
  return /\d/.test(value) && /\p{L}/u.test(value) && (/^[A-Za-z\d]+$/.test(value) || /[!@#$%^&*?+=~]/.test(value))
}
