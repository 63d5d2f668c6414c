import { StudioError } from '../../kernel/errors'
import { type Filter, isQualifier, QUALIFIERS, type Qualifier } from './filters'

/** A piece of a query, as it was written. */
export type QueryTerm =
  | { kind: 'filter'; filter: Filter }
  | { kind: 'in-title' }
  /** `unfinished`: the query ends with it, so that more of the word may follow. */
  | { kind: 'text'; text: string; negated: boolean; quoted: boolean; unfinished: boolean }

const QUOTE = '"“”'
const VALUE = String.raw`(?:[${QUOTE}](?<quotedValue>[^${QUOTE}]+)[${QUOTE}]?|(?<value>[^\s${QUOTE}]+))`
const TERM = new RegExp(
  String.raw`(?<dash>-)?(?:(?<name>${QUALIFIERS.join('|')}|in|no):${VALUE}|[${QUOTE}](?<phrase>[^${QUOTE}]*)[${QUOTE}]?|(?<text>[^\s${QUOTE}]+))`,
  'giu',
)

/**
 * Cuts a query into its terms. What is no known qualifier is text; a quote that is not closed ends with the query.
 * @param user who `@me` is; `invalid` where `@me` is asked for and nobody is configured.
 */
export function queryTerms(query: string, user: string | null): QueryTerm[] {
  return [...query.matchAll(TERM)].map((match): QueryTerm => {
    const { dash, name, quotedValue, value, phrase } = match.groups!
    const negated = dash !== undefined
    const qualified = name && qualifiedTerm(name.toLowerCase(), (quotedValue ?? value)!, negated, user)
    if (qualified) return qualified
    const written = match[0].slice(negated ? 1 : 0)
    const unfinished = match.index + match[0].length === query.length
    return { kind: 'text', text: written, negated, quoted: phrase !== undefined, unfinished }
  })
}

function qualifiedTerm(name: string, value: string, negated: boolean, user: string | null): QueryTerm | null {
  if (name === 'in') return value.toLowerCase() === 'title' && !negated ? { kind: 'in-title' } : null
  if (name === 'no') {
    const qualifier = value.toLowerCase()
    return isQualifier(qualifier) ? { kind: 'filter', filter: { qualifier, value: null, negated } } : null
  }
  if (name === 'assignee' && value.toLowerCase() === '@me') {
    return { kind: 'filter', filter: { qualifier: name, value: configured(user), negated, whole: true } }
  }
  return { kind: 'filter', filter: { qualifier: name as Qualifier, value, negated } }
}

function configured(user: string | null): string {
  if (user !== null) return user
  throw new StudioError('invalid', 'Nobody has said who @me is.', {
    hint: 'Set STUDIO_USER to your name or account in the tracker.',
    details: [{ path: 'q', message: '@me needs STUDIO_USER' }],
  })
}
