/** A condition, or several that are joined. */
export type Clause =
  | { kind: 'and'; clauses: Clause[] }
  | { kind: 'or'; clauses: Clause[] }
  | { kind: 'not'; clause: Clause }
  | { kind: 'test'; field: string; operator: Operator; values: string[] }

export type Operator = '=' | '!=' | '~' | '!~' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is' | 'is not'

export interface Jql {
  /** Null without a condition. */
  where: Clause | null
  orderBy: { field: string; isDescending: boolean }[]
}

/** What Jira answers with status 400. */
export class JqlError extends Error {}

interface Token {
  text: string
  /** Whether it was between quotes, so that it is never a keyword. */
  isQuoted: boolean
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(!=|!~|<=|>=|[=~<>(),])|([^\s"'=~<>(),!]+))/y

/** Parses the part of Jira's query language that has no functions and no history. */
export function parseJql(text: string): Jql {
  const tokens = readTokens(text)
  let at = 0

  const peek = (word: string) => {
    const token = tokens[at]
    return token !== undefined && !token.isQuoted && token.text.toLowerCase() === word
  }
  const take = (word: string) => {
    if (!peek(word)) return false
    at++
    return true
  }
  const next = (): string => {
    const token = tokens[at++]
    if (token === undefined) throw new JqlError('Error in the JQL Query: The query ended before it was complete.')
    return token.text
  }
  const expect = (word: string) => {
    const found = next()
    if (found.toLowerCase() !== word)
      throw new JqlError(`Error in the JQL Query: Expecting '${word}' but got '${found}'.`)
  }

  function readOr(): Clause {
    return readJoined('or', readAnd)
  }

  function readAnd(): Clause {
    return readJoined('and', readNot)
  }

  function readJoined(kind: 'and' | 'or', read: () => Clause): Clause {
    const clauses = [read()]
    while (take(kind)) clauses.push(read())
    return clauses.length === 1 ? clauses[0]! : { kind, clauses }
  }

  function readNot(): Clause {
    if (take('not')) return { kind: 'not', clause: readNot() }
    if (!take('(')) return readTest()
    const clause = readOr()
    expect(')')
    return clause
  }

  function readTest(): Clause {
    const field = next()
    const operator = readOperator()
    const values = operator.endsWith('in') ? readList() : [next()]
    if (take('(')) expect(')')
    return { kind: 'test', field, operator, values }
  }

  function readOperator(): Operator {
    const word = next().toLowerCase()
    if (word === 'not') {
      expect('in')
      return 'not in'
    }
    if (word === 'is') return take('not') ? 'is not' : 'is'
    if (['=', '!=', '~', '!~', '<', '<=', '>', '>=', 'in'].includes(word)) return word as Operator
    throw new JqlError(`Error in the JQL Query: Expecting operator but got '${word}'.`)
  }

  function readList(): string[] {
    expect('(')
    const values = [next()]
    while (take(',')) values.push(next())
    expect(')')
    return values
  }

  const where = tokens.length === 0 || peek('order') ? null : readOr()
  const orderBy: Jql['orderBy'] = []
  if (take('order')) {
    expect('by')
    do {
      const field = next()
      const isDescending = take('desc')
      if (!isDescending) take('asc')
      orderBy.push({ field, isDescending })
    } while (take(','))
  }
  if (at < tokens.length)
    throw new JqlError(`Error in the JQL Query: Expecting either 'OR' or 'AND' but got '${tokens[at]!.text}'.`)
  return { where, orderBy }
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (found === null)
      throw new JqlError(`Error in the JQL Query: The character '${text.slice(from).trimStart()[0]}' is not expected.`)
    const quoted = found[1] ?? found[2]
    tokens.push(
      quoted === undefined
        ? { text: found[3] ?? found[4]!, isQuoted: false }
        : { text: quoted.replace(/\\(.)/g, '$1'), isQuoted: true },
    )
  }
  return tokens
}
