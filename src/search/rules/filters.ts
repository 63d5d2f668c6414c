import type { Person, StateCategory } from '../../tracker'
import { normalizeText } from './normalize-text'

export const QUALIFIERS = ['state', 'type', 'assignee', 'tag', 'area', 'iteration', 'priority', 'id'] as const
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
  id: number
  type: string
  itemType: string | null
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic. */
  level: number | null
  state: string | null
  stateCategory: StateCategory | null
  priority: number | null
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

/**
 * Whether an entity has a value. A type is one of search (`draft`), the work item's own (`Bug`) or a backlog level (`story`); a state is
 * the item's own or a progress (`open`, `done`); a path is found by any part of it.
 */
const has: Record<Qualifier, (entity: Filterable, value: string, whole: boolean) => boolean> = {
  state: (entity, value) => same(entity.state, value) || same(progressOf(entity), value),
  type: (entity, value) => same(entity.type, value) || same(entity.itemType, value) || same(levelNameOf(entity), value),
  assignee: ({ assignedTo }, value, whole) => isPerson(assignedTo, value, whole),
  tag: ({ tags }, value) => tags.some((tag) => same(tag, value)),
  area: ({ areaPath }, value) => holdsPath(areaPath, value),
  iteration: ({ iterationPath }, value) => holdsPath(iterationPath, value),
  priority: ({ priority }, value) => priority !== null && Number(value.replace(/^p(?=\d)/i, '')) === priority,
  id: ({ id }, value) => Number(value.replace('#', '')) === id,
}

function isAbsent(entity: Filterable, qualifier: Qualifier): boolean {
  const absent: Record<Qualifier, boolean> = {
    state: !entity.state,
    type: !entity.itemType,
    assignee: entity.assignedTo === null,
    tag: entity.tags.length === 0,
    area: !entity.areaPath,
    iteration: !entity.iterationPath,
    priority: entity.priority === null,
    id: false,
  }
  return absent[qualifier]
}

/** The values of a qualifier by which the entity is found, for suggestions. IDs are not suggested. */
export function valuesOf(entity: Filterable, qualifier: Qualifier): string[] {
  const { assignedTo } = entity
  const values: Record<Qualifier, (string | null)[]> = {
    state: [entity.state, progressOf(entity)],
    type: [entity.itemType ?? entity.type, levelNameOf(entity)],
    assignee: assignedTo ? [assignedTo.displayName] : [],
    tag: [...entity.tags],
    area: [entity.areaPath],
    iteration: [entity.iterationPath],
    priority: [entity.priority === null ? null : String(entity.priority)],
    id: [],
  }
  return values[qualifier].filter((value) => value !== null && value !== '') as string[]
}

/** Each once, in the order of the alphabet. */
export function distinctValues(values: Iterable<string>): string[] {
  return [...new Set(values)].sort()
}

export type Progress = 'open' | 'done'

/** States of stock processes that end the work, for items whose category is not known. */
const COMPLETED_STATES = ['closed', 'done', 'completed']
const REMOVED_STATES = ['removed', 'cut']

/** How far the state says that the work has come, whatever the process calls it. Null for what is removed or has no state. */
export function progressOf({ state, stateCategory }: Pick<Filterable, 'state' | 'stateCategory'>): Progress | null {
  if (state === null) return null
  const name = normalizeText(state)
  if (stateCategory === 'Completed' || (stateCategory === null && COMPLETED_STATES.includes(name))) return 'done'
  if (stateCategory === 'Removed' || (stateCategory === null && REMOVED_STATES.includes(name))) return null
  return 'open'
}

const LEVEL_NAMES = ['task', 'story', 'feature', 'epic']

/** What people call the items of a backlog level. A bug is no story, also where bugs are planned beside stories. */
export function levelNameOf({ level, itemType }: Pick<Filterable, 'level' | 'itemType'>): string | null {
  if (level === null || /\b(?:bug|defect)\b/i.test(itemType ?? '')) return null
  return LEVEL_NAMES[level] ?? null
}

function same(a: string | null, b: string): boolean {
  return a !== null && normalizeText(a) === normalizeText(b)
}

/** By account, by the account's part before the @, or by display name; words of the name will do unless it is given whole. */
function isPerson(person: Person | null, value: string, whole: boolean): boolean {
  if (!person) return false
  if (same(person.uniqueName, value) || same(person.uniqueName?.split('@')[0] ?? null, value)) return true
  if (whole) return same(person.displayName, value)
  const names = normalizeText(person.displayName).split(/\s+/)
  return normalizeText(value)
    .split(/\s+/)
    .every((name) => names.includes(name))
}

/** `Docks`, `Docks\North` and `docks/north` are parts of `Warehouse\Docks\North`. */
function holdsPath(path: string | null, value: string): boolean {
  const [whole, part] = [path ?? '', value].map(
    (text) =>
      `\\${normalizeText(text)
        .replaceAll('/', '\\')
        .replace(/^\\|\\$/g, '')}\\`,
  )
  return whole!.includes(part!)
}
