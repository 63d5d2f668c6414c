const REMOVED = '[removed]'

/** Names of logged facts that may be secrets, at any depth. */
const SECRET_NAMES =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-?key|key|token|access_?token|refresh_?token|secret|client_?secret|password|pat)$/i

/**
 * Credentials that are recognized by their form, in any text. Callers choose the length of what is logged, so every expression must be
 * linear: a repetition starts only where its characters do not occur before it.
 */
const SECRET_TEXTS =
  /(studio_(?:pat|key)_)[0-9A-Za-z]+|\b((?:Bearer|Basic) +)[A-Za-z0-9._~+/=-]{8,}|(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/gi

/** A word up to its first `@`, which may be a URL with a password. */
const BEFORE_AT = /(?<![^\s@"])[^\s@"]+(?=@)/g

/** The start of the password of a URL. */
const PASSWORD_BEGINS = /:\/\/[^\s:/@"]*:/

/** A text without credentials; `known` are secrets of the settings, which have no typical form. */
export function redactText(text: string, known: readonly string[] = []): string {
  let shown = text.replace(SECRET_TEXTS, (_, ours = '', scheme = '') => `${ours}${scheme}${REMOVED}`)
  if (shown.includes('@')) shown = shown.replace(BEFORE_AT, withoutPassword)
  return known.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), shown)
}

function withoutPassword(beforeAt: string): string {
  const found = PASSWORD_BEGINS.exec(beforeAt)
  if (!found) return beforeAt
  const begins = found.index + found[0].length
  return begins < beforeAt.length ? `${beforeAt.slice(0, begins)}${REMOVED}` : beforeAt
}

/** Facts without the values whose names suggest a secret. */
export function redactFacts(facts: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const name in facts) shown[name] = SECRET_NAMES.test(name) ? REMOVED : redactValue(facts[name])
  return shown
}

function redactValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(redactValue)
  if (value instanceof Error) return describeCause(value)
  const isRecord = Object.getPrototypeOf(value) === Object.prototype
  return isRecord ? redactFacts(value as Record<string, unknown>) : value
}

/** An error with its own causes as a fact. */
function describeCause(error: NodeJS.ErrnoException): Record<string, unknown> {
  const { name: type, code, message, stack, cause } = error
  return { type, code, message, stack, cause: redactValue(cause) }
}
