const REMOVED = '[removed]'

/** Names under which a secret may stand in facts that are logged, whatever their depth. */
const SECRET_NAMES =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-?key|key|token|access_?token|refresh_?token|secret|client_?secret|password|pat)$/i

/** Credentials that show by their form, in any text. */
const SECRET_TEXTS =
  /(studio_(?:pat|key)_)[0-9A-Za-z]+|\b((?:Bearer|Basic) +)[A-Za-z0-9._~+/=-]{8,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*|([a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*:)[^\s@"]+(?=@)/gi

/** A text without credentials; `known` are secrets of the settings, which have no form of their own. */
export function redactText(text: string, known: readonly string[] = []): string {
  const shown = text.replace(
    SECRET_TEXTS,
    (_, ours = '', scheme = '', address = '') => `${ours}${scheme}${address}${REMOVED}`,
  )
  return known.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), shown)
}

/** Facts without what stands under a name that tells of a secret. */
export function redactFacts(facts: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const name in facts) shown[name] = SECRET_NAMES.test(name) ? REMOVED : redactValue(facts[name])
  return shown
}

function redactValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(redactValue)
  const isRecord = Object.getPrototypeOf(value) === Object.prototype
  return isRecord ? redactFacts(value as Record<string, unknown>) : value
}
