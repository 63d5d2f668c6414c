import { badQuery } from '../wire/refusal'

export interface Token {
  kind: 'name' | 'field' | 'text' | 'number' | 'macro' | 'sign' | 'end'
  /** A name in lower case; a field without its brackets; a text without its quotes. */
  value: string
  /** Where it begins and ends in the query. */
  start: number
  end: number
}

const patterns: [Token['kind'], RegExp][] = [
  ['field', /\[([^\]]*)\]/y],
  ['text', /'((?:[^']|'')*)'/y],
  ['text', /"((?:[^"]|"")*)"/y],
  ['number', /(\d+(?:\.\d+)?)/y],
  ['macro', /(@[A-Za-z]+)/y],
  ['name', /([A-Za-z_]\w*(?:\.\w+)*)/y],
  ['sign', /(<>|!=|<=|>=|[=<>(),.+-])/y],
]

/** Cuts a query into tokens; the last one is `end`. */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = []
  let at = skipSpace(query, 0)
  while (at < query.length) {
    const token = tokenAt(query, at)
    if (!token) throw badQuery(`The query is not valid. The error is caused by «${query.slice(at, at + 20)}».`)
    tokens.push(token)
    at = skipSpace(query, token.end)
  }
  tokens.push({ kind: 'end', value: '', start: query.length, end: query.length })
  return tokens
}

function tokenAt(query: string, at: number): Token | null {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const found = pattern.exec(query)
    if (found) return { kind, value: clean(kind, found), start: at, end: at + found[0].length }
  }
  return null
}

function clean(kind: Token['kind'], found: RegExpExecArray): string {
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
