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
