/** A result as one JSON value that is safe to print on a terminal. */
export function formatJson(result: unknown): string {
  return `${escapeForTerminal(JSON.stringify(result, null, 2))}\n`
}

/** Writes control characters in JSON as escapes, so that a terminal does not act on them. */
export function escapeForTerminal(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
