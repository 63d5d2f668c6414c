/** The value of a JSON text, or undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is an object with fields: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON and removes U+0000, which some databases cannot store and terminals cannot show. Throws for invalid JSON. */
export function parseJsonWithoutNulls(text: string): unknown {
  return JSON.parse(text, text.includes('\\u0000') ? removeNullCharacters : undefined)
}

function removeNullCharacters(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '') : value
}

/** The record with each value changed. */
export function mapValues<Name extends string, Value, Changed>(
  record: Readonly<Record<Name, Value>>,
  change: (value: Value, name: string) => Changed,
): Record<Name, Changed> {
  const entries = Object.entries<Value>(record).map(([name, value]) => [name, change(value, name)])
  return Object.fromEntries(entries) as Record<Name, Changed>
}

/** The object without these fields. */
export function omitFields(value: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

/** The object without its fields that are undefined. */
export function omitUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Value
}

/** The input of a change on the command line, where an empty text removes a value. */
export function toRemovals(typed: Record<string, unknown>): Record<string, unknown> {
  return mapValues(typed, (value) => (value === '' ? null : value))
}
