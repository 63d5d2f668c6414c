import type { Person } from '../../tracker'
import { fold } from './fold'

export const QUALIFIERS = ['state', 'type', 'assignee', 'tag', 'area', 'iteration'] as const
export type Qualifier = (typeof QUALIFIERS)[number]

export interface Filter {
  qualifier: Qualifier
  /** Null asks for entities that have no value there: `no:assignee`. */
  value: string | null
  negated: boolean
  /** For a person: the whole name or account is given, not words of it. */
  whole?: true
}

/** What filters look at. */
export interface Filterable {
  type: string
  itemType: string | null
  state: string | null
  assignedTo: Person | null
  tags: readonly string[]
  areaPath: string | null
  iterationPath: string | null
}

export function isQualifier(name: string): name is Qualifier {
  return (QUALIFIERS as readonly string[]).includes(name)
}

/**
 * True where the entity passes all filters. Of several values of one qualifier any will do, but for tags, of which
 * an entity has many: there all are asked for. Case and accents never matter.
 */
export function passes(entity: Filterable, filters: readonly Filter[]): boolean {
  return passesAll(filters, (filter) => fits(entity, filter))
}

/** The same, where it is known which filters fit. */
export function passesAll(filters: readonly Filter[], fits: (filter: Filter) => boolean): boolean {
  return QUALIFIERS.every((qualifier) => {
    const own = filters.filter((filter) => filter.qualifier === qualifier)
    const wanted = own.filter((filter) => !filter.negated)
    if (own.some((filter) => filter.negated && fits(filter))) return false
    return qualifier === 'tag' ? wanted.every(fits) : wanted.length === 0 || wanted.some(fits)
  })
}

/** Whether the entity has what a filter speaks of, negated or not. */
export function fits(entity: Filterable, { qualifier, value, whole }: Filter): boolean {
  return value === null ? isAbsent(entity, qualifier) : has[qualifier](entity, value, whole ?? false)
}

/** Whether an entity has a value. A type is one of search (`draft`) or the work item's own (`Bug`); a path is found by any part of it. */
const has: Record<Qualifier, (entity: Filterable, value: string, whole: boolean) => boolean> = {
  state: ({ state }, value) => same(state, value),
  type: ({ type, itemType }, value) => same(type, value) || same(itemType, value),
  assignee: ({ assignedTo }, value, whole) => isPerson(assignedTo, value, whole),
  tag: ({ tags }, value) => tags.some((tag) => same(tag, value)),
  area: ({ areaPath }, value) => holdsPath(areaPath, value),
  iteration: ({ iterationPath }, value) => holdsPath(iterationPath, value),
}

function isAbsent(entity: Filterable, qualifier: Qualifier): boolean {
  const absent: Record<Qualifier, boolean> = {
    state: !entity.state,
    type: !entity.itemType,
    assignee: entity.assignedTo === null,
    tag: entity.tags.length === 0,
    area: !entity.areaPath,
    iteration: !entity.iterationPath,
  }
  return absent[qualifier]
}

function same(a: string | null, b: string): boolean {
  return a !== null && fold(a) === fold(b)
}

/** By account, by the account's part before the @, or by display name; words of the name will do unless it is given whole. */
function isPerson(person: Person | null, value: string, whole: boolean): boolean {
  if (!person) return false
  if (same(person.uniqueName, value) || same(person.uniqueName?.split('@')[0] ?? null, value)) return true
  if (whole) return same(person.displayName, value)
  const names = fold(person.displayName).split(/\s+/)
  return fold(value)
    .split(/\s+/)
    .every((name) => names.includes(name))
}

/** `Docks`, `Docks\North` and `docks/north` are parts of `Warehouse\Docks\North`. */
function holdsPath(path: string | null, value: string): boolean {
  const [whole, part] = [path ?? '', value].map(
    (text) =>
      `\\${fold(text)
        .replaceAll('/', '\\')
        .replace(/^\\|\\$/g, '')}\\`,
  )
  return whole!.includes(part!)
}
