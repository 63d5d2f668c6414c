import { redactSecrets } from '../sanitize'

export const REMOVED = '[removed]'

/** Names of logged facts that may be secrets, at any depth. */
const SECRET_NAMES =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-?key|key|token|access_?token|refresh_?token|secret|client_?secret|password|pat)$/i

/** A text without secrets, by the rules of the sanitizer; `known` are secrets of the settings, which have no typical form. */
export function redactText(text: string, known: readonly string[] = []): string {
  return removeKnown(redactSecrets(text, REMOVED), known)
}

/** A text without the secrets of the settings. */
export function removeKnown(text: string, known: readonly string[]): string {
  return known.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text)
}

/** Whether the name of a fact suggests that its value is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(name)
}

/** Facts without secrets in their texts, and without the values whose names suggest a secret. */
export function redactFacts(facts: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const name in facts) shown[name] = isSecretName(name) ? REMOVED : redactValue(facts[name])
  return shown
}

export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value, REMOVED)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(redactValue)
  if (value instanceof Error) return describeCause(value)
  const isRecord = Object.getPrototypeOf(value) === Object.prototype
  return isRecord ? redactFacts(value as Record<string, unknown>) : value
}

/** An error with its own causes as a fact. Its stack begins with its message, which is a text of its own. */
function describeCause(error: NodeJS.ErrnoException): Record<string, unknown> {
  const { name: type, code, message, cause } = error
  const stack = error.stack?.replace(message, () => redactText(message))
  return redactFacts({ type, code, message, stack, cause })
}
