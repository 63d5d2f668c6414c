import type { Log } from '../kernel'
import { isSecretName, REMOVED, redactText, redactValue, removeKnown } from './redact'

/** Texts up to this length are remembered: the parts of a request's line are mostly those of an earlier one. */
const MAX_REMEMBERED_LENGTH = 200
const MAX_REMEMBERED_TEXTS = 1_000

/** The ID of a request. It occurs in its own lines only, and no rule finds a secret in it. */
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** The name of a fact, which code chose. */
interface Name {
  /** As it is written before a value. */
  text: string
  isSecret: boolean
}

export type LineWriter = (level: keyof Log, message: string, facts?: Record<string, unknown>) => string

/**
 * Writes lines of JSON without secrets. A service writes one for each request, so texts that repeat are redacted once.
 * @param secrets those of the settings, which have no typical form.
 */
export function createLineWriter(secrets: readonly string[]): LineWriter {
  const remembered = new Map<string, string>()
  // In values only: a password may be the name of a fact.
  const withoutSecrets = (_name: string, value: unknown) =>
    typeof value === 'string' ? removeKnown(value, secrets) : value
  const quote = (text: string): string => {
    if (text.length === 36 && UUID.test(text)) return `"${removeKnown(text, secrets)}"`
    const known = remembered.get(text)
    if (known !== undefined) return known
    const quoted = JSON.stringify(redactText(text, secrets))
    if (text.length > MAX_REMEMBERED_LENGTH) return quoted
    if (remembered.size >= MAX_REMEMBERED_TEXTS) remembered.clear()
    // A copy, because a part of a text keeps all of it in memory.
    remembered.set(Buffer.from(text).toString(), quoted)
    return quoted
  }
  const names = new Map<string, Name>()
  const readName = (name: string): Name => {
    const known = names.get(name)
    if (known !== undefined) return known
    const read = { text: `,${JSON.stringify(name)}:`, isSecret: isSecretName(name) }
    names.set(name, read)
    return read
  }
  const write = (value: unknown): string | undefined => {
    if (typeof value === 'string') return quote(value)
    if (Number.isFinite(value)) return String(value)
    const hasTexts = typeof value === 'object' && value !== null
    return hasTexts ? JSON.stringify(redactValue(value), withoutSecrets) : JSON.stringify(value)
  }
  return (level, message, facts = {}) => {
    let line = `{"level":"${level}","time":"${formatNow()}"`
    for (const name in facts) {
      const { text, isSecret } = readName(name)
      const value = write(isSecret ? REMOVED : facts[name])
      if (value !== undefined) line += text + value
    }
    return `${line},"message":${quote(message)}}`
  }
}

let second = { number: Number.NaN, text: '' }

/** The time in ISO 8601 with milliseconds. Lines of the same second share the text up to it. */
function formatNow(): string {
  const now = Date.now()
  const number = Math.floor(now / 1000)
  if (number !== second.number) second = { number, text: new Date(number * 1000).toISOString().slice(0, -4) }
  return `${second.text}${String(now % 1000).padStart(3, '0')}Z`
}
