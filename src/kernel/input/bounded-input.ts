import { StudioError } from '../errors'

/** More than any form of the console or input of an operation has, and more values than any list in a query. */
const MAX_FIELDS = 2_000

/** More levels than any input of an operation has. */
const MAX_DEPTH = 64

/** Refuses a form or a query with more fields than any call takes. Counting costs far less than parsing. */
export function requireFewFields(encoded: string, source: 'form' | 'query'): void {
  if (encoded.length < MAX_FIELDS) return
  let count = 1
  for (let at = encoded.indexOf('&'); at >= 0; at = encoded.indexOf('&', at + 1)) count++
  requireCount(count, source)
}

function requireCount(count: number, source: 'form' | 'query'): void {
  if (count <= MAX_FIELDS) return
  throw new StudioError('too_complex', `The ${source} has ${count} fields. A ${source} may have ${MAX_FIELDS}.`, {
    hint: 'Send fewer fields.',
  })
}

/** The fields of a form or a query in one pass. Callers choose the names, so they are keys of a map. */
export function parseFields(encoded: string): Map<string, string | string[]> {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(encoded)) {
    const known = fields.get(name)
    if (known === undefined) fields.set(name, value)
    else if (typeof known === 'string') fields.set(name, [known, value])
    else known.push(value)
  }
  return fields
}

/**
 * Refuses JSON with more levels than any input has, because what reads it later calls itself once for each level, and an object with more
 * fields than any input has, because each of them is looked up in a schema.
 */
export function requireBoundedJson(text: string): void {
  /** The fields of the objects that are open, from outside to inside. */
  const fields: number[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at)
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) fields.push(0)
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) fields.pop()
    else if (character === COLON && fields.length > 0) fields[fields.length - 1]! += 1
    if (fields.length > MAX_DEPTH)
      throw new StudioError('too_complex', `The JSON has more than ${MAX_DEPTH} levels of lists and objects.`, {
        hint: 'Send it with fewer levels.',
      })
    if (fields.at(-1)! > MAX_FIELDS)
      throw new StudioError('too_complex', `The JSON has an object with more than ${MAX_FIELDS} fields.`, {
        hint: 'Send fewer fields.',
      })
  }
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d]
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d]

/** Where the string that begins at `start` ends: the index of its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    // Each pair of them is a backslash of the text.
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
