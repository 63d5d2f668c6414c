import { createBadRequestError } from '../wire/response'

/** A parsed query. Field names are as written. */
export interface Wiql {
  from: 'items' | 'links'
  columns: FieldRef[]
  where: Condition
  orderBy: { field: FieldRef; descending: boolean }[]
  mode: LinkMode | null
}

type LinkMode = 'MustContain' | 'Recursive'

/** `side` is used only in link queries: `[Source].[System.State]`. */
interface FieldRef {
  name: string
  side: 'source' | 'target' | null
}

/** `not` has one part. `and` without parts is true. */
export type Condition = { kind: 'and' | 'or' | 'not'; parts: Condition[] } | Comparison

export interface Comparison {
  kind: 'compare'
  field: FieldRef
  operator: Operator
  values: Value[]
  /** As written, for messages. */
  text: string
}

export type Operator =
  | '='
  | '<>'
  | '<'
  | '>'
  | '<='
  | '>='
  | 'in'
  | 'contains'
  | 'contains words'
  | 'under'
  | 'is empty'

export type Value =
  | { kind: 'text'; text: string }
  | { kind: 'number'; number: number }
  | { kind: 'macro'; name: string; offset: number }

export function listComparisons(condition: Condition): Comparison[] {
  return condition.kind === 'compare' ? [condition] : condition.parts.flatMap(listComparisons)
}

const MAX_QUERY_LENGTH = 32_000

/** Throws a 400 that quotes the invalid part of the query. */
export function parseWiql(query: string): Wiql {
  if (query.length > MAX_QUERY_LENGTH) {
    throw createBadRequestError(
      `The length of the query text is ${query.length}, which exceeds the limit of ${MAX_QUERY_LENGTH}.`,
    )
  }
  return new Parser(query).query()
}

interface Token {
  kind: 'word' | 'symbol' | 'field' | 'text' | 'number' | 'macro' | 'end'
  /** A field without its brackets; a text without its quotes. */
  value: string
  /** Where it begins and ends in the query. */
  start: number
  end: number
}

/** `kind` is the name of the group that matches. */
const TOKEN =
  /\s*(?:\[(?<field>[^\]]*)\]|'(?<text>(?:[^']|'')*)'|"(?<quoted>(?:[^"]|"")*)"|(?<number>\d+(?:\.\d+)?)|(?<macro>@[A-Za-z]+)|(?<word>[A-Za-z_]\w*(?:\.\w+)*)|(?<symbol><>|!=|<=|>=|[=<>(),.+-]))/y

/** The last token is `end`. */
function tokenize(query: string): Token[] {
  const tokens: Token[] = []
  const end = query.trimEnd().length
  let at = 0
  while (at < end) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(query)
    if (!found) {
      const rest = query.slice(at).trimStart()
      throw createBadRequestError(`The query is not valid. The error is caused by «${rest.slice(0, 20)}».`)
    }
    const [group, value] = Object.entries(found.groups!).find(([, matched]) => matched !== undefined)!
    at = TOKEN.lastIndex
    tokens.push({ ...createToken(group, value), start: at - found[0].trimStart().length, end: at })
  }
  return [...tokens, { kind: 'end', value: '', start: end, end }]
}

function createToken(group: string, value: string): Pick<Token, 'kind' | 'value'> {
  if (group === 'field') return { kind: 'field', value: value.trim() }
  if (group === 'text') return { kind: 'text', value: value.replaceAll("''", "'") }
  if (group === 'quoted') return { kind: 'text', value: value.replaceAll('""', '"') }
  return { kind: group as Token['kind'], value }
}

const LINK_MODES = new Map<string, LinkMode>([
  ['mustcontain', 'MustContain'],
  ['recursive', 'Recursive'],
  ['returnmatchingchildren', 'Recursive'],
])

/** Operators by their first word or symbol. */
const OPERATORS = new Map<string, Operator>([
  ...(['=', '<>', '<', '>', '<=', '>=', 'in', 'under', 'contains'] as const).map((name) => [name, name] as const),
  ['!=', '<>'],
  ['is', 'is empty'],
])

/** A recursive descent parser: each method consumes the construct that it is named for. */
class Parser {
  private readonly tokens: Token[]
  private at = 0

  constructor(private readonly text: string) {
    this.tokens = tokenize(text)
  }

  query(): Wiql {
    this.expect('select')
    const columns = this.commaList(() => this.field())
    if (!this.take('from')) throw this.complaint('TF51006: The query statement is missing a FROM clause.')
    const from = this.source()
    const where: Condition = this.take('where') ? this.anyOf() : { kind: 'and', parts: [] }
    const orderBy = this.take('order') ? this.order() : []
    const mode = this.take('mode') ? this.mode() : null
    if (this.peek.kind !== 'end') throw this.complaint('Expecting end of string.')
    return { from, columns, where, orderBy, mode }
  }

  private source(): Wiql['from'] {
    if (this.take('workitems')) return 'items'
    if (this.take('workitemlinks')) return 'links'
    throw this.complaint('Expecting WorkItems or WorkItemLinks.')
  }

  private order(): Wiql['orderBy'] {
    this.expect('by')
    return this.commaList(() => {
      const field = this.field()
      const descending = this.take('desc')
      if (!descending) this.take('asc')
      return { field, descending }
    })
  }

  private mode(): LinkMode {
    const [named] = this.parenthesized(() => this.next())
    const mode = LINK_MODES.get(named!.value.toLowerCase())
    if (!mode) throw this.complaint('Unknown mode.', named)
    return mode
  }

  private anyOf(): Condition {
    return this.joined('or', () => this.joined('and', () => this.single()))
  }

  private joined(kind: 'and' | 'or', read: () => Condition): Condition {
    const parts = [read()]
    while (this.take(kind)) parts.push(read())
    return parts.length === 1 ? parts[0]! : { kind, parts }
  }

  private single(): Condition {
    if (this.take('not')) return { kind: 'not', parts: [this.single()] }
    if (!this.take('(')) return this.comparison()
    const inner = this.anyOf()
    this.expect(')')
    return inner
  }

  private comparison(): Condition {
    const start = this.peek.start
    const field = this.field()
    const hasNotBefore = this.take('not')
    const operator = this.operator()
    const hasNotAfter = operator === 'is empty' && this.take('not')
    if (operator === 'is empty') this.expect('empty')
    const values = this.values(operator)
    const text = this.text.slice(start, this.tokens[this.at - 1]!.end)
    const compare: Condition = { kind: 'compare', field, operator, values, text }
    return hasNotBefore === hasNotAfter ? compare : { kind: 'not', parts: [compare] }
  }

  private operator(): Operator {
    const token = this.next()
    const operator = isWordOrSymbol(token) ? OPERATORS.get(token.value.toLowerCase()) : undefined
    if (!operator) throw this.complaint('Expecting an operator.', token)
    return operator === 'contains' && this.take('words') ? 'contains words' : operator
  }

  private values(operator: Operator): Value[] {
    if (operator === 'is empty') return []
    return operator === 'in' ? this.parenthesized(() => this.value()) : [this.value()]
  }

  private value(): Value {
    const negative = this.take('-')
    const token = this.next()
    if (token.kind === 'number') return { kind: 'number', number: Number(token.value) * (negative ? -1 : 1) }
    if (negative) throw this.complaint('Expecting a number.', token)
    if (token.kind === 'text' || /^(true|false)$/i.test(token.value)) return { kind: 'text', text: token.value }
    if (token.kind === 'macro') return { kind: 'macro', name: token.value.toLowerCase(), offset: this.offset() }
    throw this.complaint('Expecting a value.', token)
  }

  /** `@today - 7` */
  private offset(): number {
    const negative = this.take('-')
    if (!negative && !this.take('+')) return 0
    const token = this.next()
    if (token.kind !== 'number') throw this.complaint('Expecting a number.', token)
    return Number(token.value) * (negative ? -1 : 1)
  }

  private field(): FieldRef {
    const first = this.fieldName()
    const side = first.toLowerCase()
    if ((side === 'source' || side === 'target') && this.take('.')) return { name: this.fieldName(), side }
    const [, dottedSide, name] = /^(source|target)\.(.+)$/i.exec(first) ?? []
    return dottedSide
      ? { name: name!, side: dottedSide.toLowerCase() as 'source' | 'target' }
      : { name: first, side: null }
  }

  private fieldName(): string {
    const token = this.next()
    if (token.kind !== 'field' && token.kind !== 'word') throw this.complaint('Expecting a field name.', token)
    return token.value
  }

  private commaList<T>(read: () => T): T[] {
    const list = [read()]
    while (this.take(',')) list.push(read())
    return list
  }

  private parenthesized<T>(read: () => T): T[] {
    this.expect('(')
    const list = this.commaList(read)
    this.expect(')')
    return list
  }

  private get peek(): Token {
    return this.tokens[this.at]!
  }

  private next(): Token {
    const token = this.peek
    if (token.kind === 'end') throw this.complaint('The query statement ends too early.')
    this.at += 1
    return token
  }

  /** Consumes the word or symbol if it is next. */
  private take(expected: string): boolean {
    if (!isWordOrSymbol(this.peek) || this.peek.value.toLowerCase() !== expected) return false
    this.at += 1
    return true
  }

  private expect(expected: string): void {
    if (this.take(expected)) return
    throw this.complaint(/\w/.test(expected) ? `Expecting ${expected.toUpperCase()}.` : `Expecting «${expected}».`)
  }

  private complaint(message: string, token = this.peek): Error {
    const cause = token.kind === 'end' ? 'end of string' : this.text.slice(token.start, token.end)
    return createBadRequestError(`${message} The error is caused by «${cause}».`)
  }
}

function isWordOrSymbol({ kind }: Token): boolean {
  return kind === 'word' || kind === 'symbol'
}
