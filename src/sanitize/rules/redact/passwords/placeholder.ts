/** Matches a value that something else fills in: `${…}`, `$(…)`, `{{…}}`, `<%…%>`, `#{…}`, `@{…}`, `%(name)s`, `__NAME__`. */
const TEMPLATE =
  /^(?:(?:\$\{\{?[^{}\n]{0,200}\}?\}|\$\([^()\n]{0,200}\)|\{\{[^{}\n]{0,200}\}\}|\{%[^%\n]{0,200}%\}|<%[^%\n]{0,200}%>|[#@%]\{[^{}\n]{0,200}\}|\$[A-Z_][A-Z0-9_]{0,60}(?!\w)|%\(\w{1,60}\)s|%[sdv@]|__[A-Z][A-Z0-9_]{0,60}__|@[A-Z_]{3,60}@|![A-Z_]{3,60}!)[-.:/]?)+$/

/** Matches variables of programs: `$password`, `$this->password`, `$env:PASSWORD`, `$config['x']`, `@password`, `:password`. */
const VARIABLE =
  /^(?:\$(?:[A-Za-z_]{1,60}|\w{0,40}(?:pass|pwd|secret|token|key|cred|env|user|conf)\w{0,40})(?:(?:->|::|\.|:|\[)[^\s]{0,100})?|[@:][A-Za-z_]{2,60}|\$\d{1,2}|\$)$/i

/** Matches a masked value. */
const MASK = /^(?:\*+|[xX•●]{3,}|\.{2,}|…+|_+|-+|#+|\?+)$/

/** Matches a start of code that the end of the value cut: `$(cat`, `${{`, `{{vault.db2[`. */
const CUT = /^(?:\$[({]{1,3}|\{\{|\{%|<%|#\{|@\{)(?<name>[^\s]{0,100})$/
const PATH_OF_NAMES = /^[A-Za-z_]\w{0,60}[.([|:][^\s]*$/

const ENCLOSED =
  /^(?:\{(?<braces>[^{}]*)\}?|<(?<angles>[^<>]*)>|\[(?<brackets>[^[\]]*)\]?(?:(?:[*+?]|\{[\d,]{1,8}\})[^\s]{0,9})?|%(?<percents>[\w.-]*)%)$/

/** Matches words that are used in the names of placeholders. */
const NAME_WORDS =
  /pass|pwd|secret|token|key|cred|user|your|name|value|config|env|insert|enter|replace|example|random|redacted|removed|hidden|masked|regex|[a-z]-[a-z]|\d-\d|^\^|\\[dws]/i

/**
 * Returns whether a value is only a placeholder for the real one. It is decided by the whole value, because a password may begin like a
 * placeholder: `{Hk29dLq`, `<a1!`, `%b2`.
 */
export function isPlaceholder(value: string): boolean {
  if (MASK.test(value) || TEMPLATE.test(value) || VARIABLE.test(value)) return true
  const cut = CUT.exec(value)?.groups?.['name']
  if (cut !== undefined) return PATH_OF_NAMES.test(cut) || isNameOfValue(cut)
  const enclosed = ENCLOSED.exec(value)?.groups
  if (!enclosed) return false
  const inner = enclosed['braces'] ?? enclosed['angles'] ?? enclosed['brackets'] ?? enclosed['percents'] ?? ''
  return isNameOfValue(inner)
}

/** Returns whether the text names a value: it has spaces or usual words, or it is no mixture of letters and digits. */
function isNameOfValue(text: string): boolean {
  if (text.length < 6 || /\s/.test(text) || NAME_WORDS.test(text)) return true
  return !/\d/.test(text) || !/\p{L}/u.test(text) ? /^[\p{L}\p{N}._:|,/-]*$/u.test(text) : /^\p{L}+\d{1,2}$/u.test(text)
}
