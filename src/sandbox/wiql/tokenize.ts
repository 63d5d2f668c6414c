import { createBadRequestError } from '../wire/response'

export interface Token {
  kind: 'name' | 'field' | 'text' | 'number' | 'macro' | 'sign' | 'end'
  /** A field without its brackets; a text without its quotes; a macro in lower case. */
  value: string
  /** Where it begins and ends in the query. */
  start: number
  end: number
}

const TOKEN_PATTERNS: [Token['kind'], RegExp][] = [
  ['field', /\[([^\]]*)\]/y],
  ['text', /'((?:[^']|'')*)'/y],
  ['text', /"((?:[^"]|"")*)"/y],
  ['number', /(\d+(?:\.\d+)?)/y],
  ['macro', /(@[A-Za-z]+)/y],
  ['name', /([A-Za-z_]\w*(?:\.\w+)*)/y],
  ['sign', /(<>|!=|<=|>=|[=<>(),.+-])/y],
]

/** The last token is `end`. */
export function tokenize(query: string): Token[] {
  const tokens: Token[] = []
  let at = skipSpace(query, 0)
  while (at < query.length) {
    const token = readToken(query, at)
    if (!token)
      throw createBadRequestError(`The query is not valid. The error is caused by «${query.slice(at, at + 20)}».`)
    tokens.push(token)
    at = skipSpace(query, token.end)
  }
  tokens.push({ kind: 'end', value: '', start: query.length, end: query.length })
  return tokens
}

function readToken(query: string, at: number): Token | null {
  for (const [kind, pattern] of TOKEN_PATTERNS) {
    pattern.lastIndex = at
    const found = pattern.exec(query)
    if (found) return { kind, value: readTokenText(kind, found), start: at, end: at + found[0].length }
  }
  return null
}

function readTokenText(kind: Token['kind'], found: RegExpExecArray): string {
  const value = found[1]!
  if (kind === 'text') return found[0].startsWith("'") ? value.replaceAll("''", "'") : value.replaceAll('""', '"')
  if (kind === 'field') return value.trim()
  return kind === 'macro' ? value.toLowerCase() : value
}

function skipSpace(query: string, at: number): number {
  let next = at
  while (/\s/.test(query.charAt(next))) next += 1
  return next
}
