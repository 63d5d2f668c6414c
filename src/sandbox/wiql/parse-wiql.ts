import { createBadRequestError } from '../wire/response'
import { type Token, tokenize } from './tokenize'

/** A parsed query. Field names are as written. */
export interface Wiql {
  from: 'items' | 'links'
  columns: FieldRef[]
  where: Condition | null
  orderBy: { field: FieldRef; descending: boolean }[]
  mode: LinkMode | null
}

type LinkMode = 'MustContain' | 'Recursive'

/** `side` is used only in link queries: `[Source].[System.State]`. */
interface FieldRef {
  name: string
  side: 'source' | 'target' | null
}

export type Condition =
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'compare'; field: FieldRef; operator: Operator; values: Value[]; text: string }

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

const LINK_MODES: Record<string, LinkMode> = {
  mustcontain: 'MustContain',
  recursive: 'Recursive',
  returnmatchingchildren: 'Recursive',
}

/** A recursive descent parser: each method consumes the construct that it is named for. */
class Parser {
  private readonly tokens: Token[]
  private at = 0

  constructor(private readonly text: string) {
    this.tokens = tokenize(text)
  }

  query(): Wiql {
    this.expectWord('select')
    const columns = this.commaList(() => this.field())
    if (!this.takeWord('from')) throw this.complaint('TF51006: The query statement is missing a FROM clause.')
    const from = this.source()
    const where = this.takeWord('where') ? this.anyOf() : null
    const orderBy = this.takeWord('order') ? this.order() : []
    const mode = this.takeWord('mode') ? this.mode() : null
    if (this.peek.kind !== 'end') throw this.complaint('Expecting end of string.')
    return { from, columns, where, orderBy, mode }
  }

  private source(): Wiql['from'] {
    if (this.takeWord('workitems')) return 'items'
    if (this.takeWord('workitemlinks')) return 'links'
    throw this.complaint('Expecting WorkItems or WorkItemLinks.')
  }

  private order(): Wiql['orderBy'] {
    this.expectWord('by')
    return this.commaList(() => {
      const field = this.field()
      const descending = this.takeWord('desc')
      if (!descending) this.takeWord('asc')
      return { field, descending }
    })
  }

  private mode(): LinkMode {
    this.expectSign('(')
    const named = this.commaList(() => this.next())
    this.expectSign(')')
    const mode = LINK_MODES[named[0]!.value.toLowerCase()]
    if (!mode) throw this.complaint('Unknown mode.', named[0])
    return mode
  }

  private anyOf(): Condition {
    const parts = [this.allOf()]
    while (this.takeWord('or')) parts.push(this.allOf())
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts }
  }

  private allOf(): Condition {
    const parts = [this.single()]
    while (this.takeWord('and')) parts.push(this.single())
    return parts.length === 1 ? parts[0]! : { kind: 'and', parts }
  }

  private single(): Condition {
    if (this.takeWord('not')) return { kind: 'not', part: this.single() }
    if (this.takeSign('(')) {
      const inner = this.anyOf()
      this.expectSign(')')
      return inner
    }
    return this.comparison()
  }

  private comparison(): Condition {
    const start = this.peek.start
    const field = this.field()
    const negated = this.takeWord('not')
    const { operator, flipped } = this.operator()
    const values = operator === 'in' ? this.valueList() : operator === 'is empty' ? [] : [this.value()]
    const text = this.text.slice(start, this.tokens[this.at - 1]!.end)
    const compare: Condition = { kind: 'compare', field, operator, values, text }
    return negated !== flipped ? { kind: 'not', part: compare } : compare
  }

  private operator(): { operator: Operator; flipped: boolean } {
    const token = this.next()
    const word = token.value.toLowerCase()
    if (token.kind === 'sign' && ['=', '<>', '<', '>', '<=', '>='].includes(word)) {
      return { operator: word as Operator, flipped: false }
    }
    if (word === '!=') return { operator: '<>', flipped: false }
    if (word === 'in' || word === 'under') return { operator: word, flipped: false }
    if (word === 'contains') return { operator: this.takeWord('words') ? 'contains words' : 'contains', flipped: false }
    if (word === 'is') {
      const flipped = this.takeWord('not')
      this.expectWord('empty')
      return { operator: 'is empty', flipped }
    }
    throw this.complaint('Expecting an operator.', token)
  }

  private valueList(): Value[] {
    this.expectSign('(')
    const values = this.commaList(() => this.value())
    this.expectSign(')')
    return values
  }

  private value(): Value {
    const negative = this.takeSign('-')
    const token = this.next()
    if (token.kind === 'number') return { kind: 'number', number: Number(token.value) * (negative ? -1 : 1) }
    if (negative) throw this.complaint('Expecting a number.', token)
    if (token.kind === 'text') return { kind: 'text', text: token.value }
    if (token.kind === 'name' && /^(true|false)$/i.test(token.value)) return { kind: 'text', text: token.value }
    if (token.kind === 'macro') return { kind: 'macro', name: token.value, offset: this.offset() }
    throw this.complaint('Expecting a value.', token)
  }

  /** `@today - 7` */
  private offset(): number {
    const sign = this.takeSign('-') ? -1 : this.takeSign('+') ? 1 : 0
    if (sign === 0) return 0
    const token = this.next()
    if (token.kind !== 'number') throw this.complaint('Expecting a number.', token)
    return sign * Number(token.value)
  }

  private field(): FieldRef {
    const first = this.fieldName()
    const side = first.toLowerCase()
    if ((side === 'source' || side === 'target') && this.takeSign('.')) return { name: this.fieldName(), side }
    const [, dottedSide, name] = /^(source|target)\.(.+)$/i.exec(first) ?? []
    return dottedSide
      ? { name: name!, side: dottedSide.toLowerCase() as 'source' | 'target' }
      : { name: first, side: null }
  }

  private fieldName(): string {
    const token = this.next()
    if (token.kind !== 'field' && token.kind !== 'name') throw this.complaint('Expecting a field name.', token)
    return token.value
  }

  private commaList<T>(read: () => T): T[] {
    const list = [read()]
    while (this.takeSign(',')) list.push(read())
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

  private takeWord(word: string): boolean {
    if (this.peek.kind !== 'name' || this.peek.value.toLowerCase() !== word) return false
    this.at += 1
    return true
  }

  private expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.complaint(`Expecting ${word.toUpperCase()}.`)
  }

  private takeSign(sign: string): boolean {
    if (this.peek.kind !== 'sign' || this.peek.value !== sign) return false
    this.at += 1
    return true
  }

  private expectSign(sign: string): void {
    if (!this.takeSign(sign)) throw this.complaint(`Expecting «${sign}».`)
  }

  private complaint(message: string, token = this.peek): Error {
    const cause = token.kind === 'end' ? 'end of string' : this.text.slice(token.start, token.end)
    return createBadRequestError(`${message} The error is caused by «${cause}».`)
  }
}
