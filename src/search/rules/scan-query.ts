import { StudioError } from '../../kernel/errors'
import { type FieldFilter, type Filter, isQualifier } from './filters'
import { findQualifier, parseIsValue, QUALIFIER_NAMES } from './qualifiers'

/** A piece of a query. */
export type QueryTerm =
  | { kind: 'filter'; filter: Filter }
  | { kind: 'field'; field: FieldFilter }
  | { kind: 'in-title' }
  /** `unfinished`: the query ends with it, so that more of the word may follow. */
  | { kind: 'text'; text: string; negated: boolean; quoted: boolean; unfinished: boolean }

const QUOTE = '"“”'
const VALUE = String.raw`(?:[${QUOTE}](?<quotedValue>[^${QUOTE}]+)[${QUOTE}]?|(?<value>[^\s${QUOTE}]+))`
/** `field:Customer=ACME`, `field:"Customer tier"!="Gold plus"`, `field:Customer`. */
const FIELD = String.raw`field:(?:[${QUOTE}](?<quotedField>[^${QUOTE}]+)[${QUOTE}]?|(?<field>[^\s=!${QUOTE}]+))(?:(?<operator>!?=)(?:[${QUOTE}](?<quotedWanted>[^${QUOTE}]*)[${QUOTE}]?|(?<wanted>[^\s${QUOTE}]*)))?`
const TERM = new RegExp(
  String.raw`(?<dash>-)?(?:${FIELD}|(?<name>${QUALIFIER_NAMES.join('|')}|is|in|no):${VALUE}|[${QUOTE}](?<phrase>[^${QUOTE}]*)[${QUOTE}]?|(?<text>[^\s${QUOTE}]+))`,
  'giu',
)

/**
 * Splits a query into terms. Unknown qualifiers are text. An unclosed quote ends with the query.
 * @param user replaces `@me`. Throws `invalid` if the query contains `@me` and no user is configured.
 * @param isField whether the tracker has a field of this name, so that `no:Customer` is a condition.
 */
export function scanQuery(query: string, user: string | null, isField: (name: string) => boolean): QueryTerm[] {
  const terms = [...query.matchAll(TERM)].map((match): QueryTerm => {
    const { dash, name, quotedValue, value, phrase } = match.groups!
    const negated = dash !== undefined
    const field = readFieldFilter(match.groups!, negated)
    if (field) return { kind: 'field', field }
    const qualified = name && readQualifiedTerm(name.toLowerCase(), (quotedValue ?? value)!, { negated, user, isField })
    if (qualified) return qualified
    const written = match[0].slice(negated ? 1 : 0)
    const unfinished = match.index + match[0].length === query.length
    return { kind: 'text', text: written, negated, quoted: phrase !== undefined, unfinished }
  })
  return terms.flatMap((term, i) => {
    if (isNot(term) && terms[i + 1] !== undefined) return []
    return i > 0 && isNot(terms[i - 1]!) ? negate(term) : term
  })
}

/** `NOT door` means `-door`. In lower case it is a word. */
function isNot(term: QueryTerm): boolean {
  return term.kind === 'text' && term.text === 'NOT' && !term.negated && !term.quoted
}

function negate(term: QueryTerm): QueryTerm {
  if (term.kind === 'in-title') return term
  if (term.kind === 'field') return { ...term, field: { ...term.field, negated: !term.field.negated } }
  if (term.kind === 'text') return { ...term, negated: true }
  return { ...term, filter: { ...term.filter, negated: !term.filter.negated } }
}

/** Without an operator, any value is meant. A shell removes the quotes inside of an argument, so the value may be in the quotes of the name. */
function readFieldFilter(groups: Record<string, string | undefined>, negated: boolean): FieldFilter | null {
  const { field, quotedField, operator, quotedWanted, wanted } = groups
  const written = field ?? quotedField
  if (written === undefined) return null
  if (operator !== undefined) {
    const value = (quotedWanted ?? wanted ?? '').trim()
    return { name: written.trim(), value: value || null, negated: negated !== (operator === '!=') }
  }
  const equals = written.indexOf('=')
  if (equals < 1) return { name: written.trim(), value: null, negated: !negated }
  const isUnequal = written[equals - 1] === '!'
  const value = written.slice(equals + 1).trim()
  const name = written.slice(0, isUnequal ? equals - 1 : equals).trim()
  return { name, value: value || null, negated: negated !== isUnequal }
}

function readQualifiedTerm(
  name: string,
  value: string,
  { negated, user, isField }: { negated: boolean; user: string | null; isField: (name: string) => boolean },
): QueryTerm | null {
  if (name === 'in') return value.toLowerCase() === 'title' && !negated ? { kind: 'in-title' } : null
  if (name === 'is') {
    const meant = parseIsValue(value)
    return meant && { kind: 'filter', filter: { ...meant, negated: meant.negated !== negated } }
  }
  if (name === 'no') {
    const qualifier = findQualifier(value.toLowerCase()) ?? value.toLowerCase()
    if (isQualifier(qualifier)) return { kind: 'filter', filter: { qualifier, value: null, negated } }
    return isField(value) ? { kind: 'field', field: { name: value, value: null, negated } } : null
  }
  const qualifier = findQualifier(name)
  if (qualifier === null) return null
  if (qualifier === 'assignee' && value.toLowerCase() === '@me') {
    return { kind: 'filter', filter: { qualifier, value: requireUser(user), negated, whole: true } }
  }
  return { kind: 'filter', filter: { qualifier, value, negated } }
}

function requireUser(user: string | null): string {
  if (user !== null) return user
  throw new StudioError('invalid', '@me is not configured.', {
    hint: 'Set STUDIO_USER to your name or account in the tracker.',
    details: [{ path: 'q', message: '@me needs STUDIO_USER' }],
  })
}
