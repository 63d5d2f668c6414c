import { findNearest } from '../../kernel/text/nearest-text'
import { type Filter, isQualifier, QUALIFIERS, type Qualifier } from './filters'

/** Other names of qualifiers, as in other trackers. */
const ALIASES: ReadonlyMap<string, Qualifier> = new Map([
  ['status', 'state'],
  ['assigned', 'assignee'],
  ['assignedto', 'assignee'],
  ['assigned-to', 'assignee'],
  ['owner', 'assignee'],
  ['label', 'tag'],
  ['tags', 'tag'],
  ['sprint', 'iteration'],
  ['prio', 'priority'],
  ['source', 'tracker'],
])

/** All names of qualifiers. */
export const QUALIFIER_NAMES: readonly string[] = [...QUALIFIERS, ...ALIASES.keys()]

/** @param name In lower case. */
export function findQualifier(name: string): Qualifier | null {
  return isQualifier(name) ? name : (ALIASES.get(name) ?? null)
}

const PROGRESS = new Map([
  ['open', 'open'],
  ['done', 'done'],
  ['closed', 'done'],
  ['completed', 'done'],
])
const TYPES = ['bug', 'task', 'story', 'feature', 'epic', 'issue', 'draft', 'folder', 'devops']

/** Parses the value of `is:`: a progress, a type, or whether an item is assigned. */
export function parseIsValue(value: string): Filter | null {
  const word = value.toLowerCase()
  const progress = PROGRESS.get(word)
  if (progress !== undefined) return { qualifier: 'state', value: progress, negated: false }
  if (TYPES.includes(word)) return { qualifier: 'type', value: word, negated: false }
  if (word === 'item') return { qualifier: 'type', value: 'devops', negated: false }
  if (word === 'assigned' || word === 'unassigned') {
    return { qualifier: 'assignee', value: null, negated: word === 'assigned' }
  }
  return null
}

const LOOKS_QUALIFIED = /^([a-z][a-z-]{1,19}):[^\s/:]/i
const NAMES = [...QUALIFIER_NAMES, 'is', 'no', 'in', 'field']
const MAX_DESCRIBED = 3

/** Says which texts that look like qualifiers were searched for as words, and what may be meant. */
export function describeUnknownQualifiers(texts: readonly { text: string; quoted: boolean }[]): string[] {
  const described = new Map<string, string>()
  for (const { text, quoted } of texts) {
    const name = quoted ? undefined : LOOKS_QUALIFIED.exec(text)?.[1]?.toLowerCase()
    if (name === undefined || described.has(name) || described.size === MAX_DESCRIBED) continue
    const description = describeUnknownQualifier(name, text)
    if (description !== null) described.set(name, description)
  }
  return [...described.values()]
}

function describeUnknownQualifier(name: string, text: string): string | null {
  if (name === 'is')
    return `"${text}" was searched for as words. After is: write open, done, assigned, unassigned or a type.`
  if (NAMES.includes(name)) return null
  const near = findNearest(name, NAMES, 2)
  const read = `"${name}:" is not a qualifier and was searched for as words.`
  return near === null ? read : `${read} Did you mean "${near}:"?`
}

/** The suggestion for a filter whose value no entity has. */
export function suggestValue({ qualifier, value }: Filter, known: readonly string[]): string {
  const asked = `Nothing has the ${qualifier === 'id' ? 'ID' : qualifier} "${value}".`
  const near = findNearest(value ?? '', known, 3)
  if (near !== null) return `${asked} Did you mean ${qualifier}:${inQuotes(near)}?`
  const some = known.slice(0, MAX_LISTED_VALUES).map(inQuotes)
  if (some.length === 0 || !ENUMERATED_QUALIFIERS.includes(qualifier)) return asked
  return `${asked} Known values: ${some.join(', ')}${known.length > some.length ? ', …' : ''}.`
}

const MAX_LISTED_VALUES = 8
/** Qualifiers with few values, of which people choose one. */
const ENUMERATED_QUALIFIERS: readonly Qualifier[] = ['state', 'type', 'priority', 'tracker']
function inQuotes(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value
}

const QUALIFIER = `-?(?:${QUALIFIER_NAMES.join('|')}|is|in|no|field):`
const OPENS_WITH_QUALIFIER = new RegExp(`^(${QUALIFIER})([^"\\s]*\\s[^"]*)$`, 'i')
const HOLDS_QUALIFIER = new RegExp(`\\s${QUALIFIER}`, 'i')
const EXCLUDES_WORDS = /^-([^"\s]+\s[^"]*)$/

/**
 * Joins the query arguments of a command line, from which the shell has removed the quotes. A single argument is the whole query, as
 * over HTTP. Of several arguments, one with spaces is split into words, so that `search "dock door" yard` equals `search dock door yard`.
 * Words after a qualifier or a dash remain together, unless they contain another qualifier.
 */
export function joinQueryArguments(args: readonly string[]): string {
  return args.length === 1 ? args[0]! : args.map(quoteArgument).join(' ')
}

function quoteArgument(arg: string): string {
  if (HOLDS_QUALIFIER.test(arg)) return arg
  return arg.replace(OPENS_WITH_QUALIFIER, '$1"$2"').replace(EXCLUDES_WORDS, '-"$1"')
}
