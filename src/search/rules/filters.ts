import { nameBacklogLevel } from '../../kernel/backlog-level'
import { getTrackerName } from '../../kernel/text/item-reference'
import { normalizeText } from '../../kernel/text/normalize-text'
import { containsPath } from '../../kernel/text/text'
import type { Person, StateCategory } from '../../tracker'

export const QUALIFIERS = [
  'state',
  'type',
  'assignee',
  'tag',
  'area',
  'iteration',
  'priority',
  'tracker',
  'id',
] as const
export type Qualifier = (typeof QUALIFIERS)[number]

export interface Filter {
  qualifier: Qualifier
  /** Null matches entities without a value: `no:assignee`. */
  value: string | null
  negated: boolean
  /** For a person: whether the value is the whole name or account, not words of it. */
  whole?: true
  /** The IDs of the work items that a filter of a field finds, in place of a value. */
  ids?: ReadonlySet<number>
}

/** A condition on a field of the tracker, whose values are in the database alone. */
export interface FieldFilter {
  /** The display name, as it was typed. */
  name: string
  /** Null matches items without a value. */
  value: string | null
  negated: boolean
}

/** Which iteration is meant depends on the day, and is in the database alone. */
export function isCurrentIteration({ qualifier, value }: Filter): boolean {
  return qualifier === 'iteration' && value?.toLowerCase() === '@current'
}

/** The fields that filters read. */
export interface Filterable {
  id: number
  type: string
  itemType: string | null
  /** Backlog level: 0 task, 1 story, 2 feature, 3 epic. */
  level: number | null
  state: string | null
  stateCategory: StateCategory | null
  priority: number | null
  /** The reference of a work item if that is not its ID; it begins with the name of a further tracker. */
  reference: string | null
  assignedTo: Person | null
  tags: readonly string[]
  areaPath: string | null
  iterationPath: string | null
}

export function isQualifier(name: string): name is Qualifier {
  return (QUALIFIERS as readonly string[]).includes(name)
}

/**
 * Whether the entity matches all filters. Several values of one qualifier are alternatives, except for tags: an entity can
 * have many tags and must have all that are given. Case and accents are ignored.
 */
export function passes(entity: Filterable, filters: readonly Filter[]): boolean {
  return passesAll(filters, (filter) => fits(entity, filter))
}

/** Like `passesFilters`, if it is already known which filters match. */
export function passesAll(filters: readonly Filter[], fits: (filter: Filter) => boolean): boolean {
  return QUALIFIERS.every((qualifier) => {
    const own = filters.filter((filter) => filter.qualifier === qualifier)
    const wanted = own.filter((filter) => !filter.negated)
    if (own.some((filter) => filter.negated && fits(filter))) return false
    return qualifier === 'tag' ? wanted.every(fits) : wanted.length === 0 || wanted.some(fits)
  })
}

/** Whether the entity has the value of a filter, regardless of negation. */
export function fits(entity: Filterable, { qualifier, value, whole, ids }: Filter): boolean {
  if (ids) return ids.has(entity.id)
  return value === null ? isAbsent(entity, qualifier) : has[qualifier](entity, value, whole ?? false)
}

/**
 * Whether an entity has a value. A type is one of search (`draft`), the work item's own (`Bug`) or a backlog level (`story`); a state is
 * the item's own or a progress (`open`, `done`). A path matches by any part of it.
 */
const has: Record<Qualifier, (entity: Filterable, value: string, whole: boolean) => boolean> = {
  state: (entity, value) => same(entity.state, value) || same(progressOf(entity), value),
  type: (entity, value) => same(entity.type, value) || same(entity.itemType, value) || same(levelNameOf(entity), value),
  assignee: ({ assignedTo }, value, whole) => isPerson(assignedTo, value, whole),
  tag: ({ tags }, value) => tags.some((tag) => same(tag, value)),
  area: ({ areaPath }, value) => containsPath(areaPath, value),
  iteration: ({ iterationPath }, value) => containsPath(iterationPath, value),
  priority: ({ priority }, value) => priority !== null && Number(value.replace(/^p(?=\d)/i, '')) === priority,
  tracker: (entity, value) => same(trackerOf(entity), value),
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
    tracker: trackerOf(entity) === null,
    id: false,
  }
  return absent[qualifier]
}

/** The values of a qualifier that match the entity, for suggestions. IDs are not suggested. */
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
    tracker: [trackerOf(entity)],
    id: [],
  }
  return values[qualifier].filter((value) => value !== null && value !== '') as string[]
}

/** Without duplicates, in alphabetical order. */
export function distinctValues(values: Iterable<string>): string[] {
  return [...new Set(values)].sort()
}

export type Progress = 'open' | 'done'

/** Final states of the standard processes, for items whose category is unknown. */
const COMPLETED_STATES = ['closed', 'done', 'completed']
const REMOVED_STATES = ['removed', 'cut']

/** The progress of the work by its state, independent of the process. Null if the item is removed or has no state. */
export function progressOf({ state, stateCategory }: Pick<Filterable, 'state' | 'stateCategory'>): Progress | null {
  if (state === null) return null
  const name = normalizeText(state)
  if (stateCategory === 'Completed' || (stateCategory === null && COMPLETED_STATES.includes(name))) return 'done'
  if (stateCategory === 'Removed' || (stateCategory === null && REMOVED_STATES.includes(name))) return null
  return 'open'
}

/** The name of the tracker that a work item is from; null for drafts and folders. */
export function trackerOf({ type, reference }: Pick<Filterable, 'type' | 'reference'>): string | null {
  return type === 'devops' ? getTrackerName(reference) : null
}

/** The common name of the items of a backlog level. */
export function levelNameOf({ level, itemType }: Pick<Filterable, 'level' | 'itemType'>): string | null {
  return nameBacklogLevel(level, itemType ?? '')
}

function same(a: string | null, b: string): boolean {
  return a !== null && normalizeText(a) === normalizeText(b)
}

/** Matches by account, by the part of the account before the @, or by display name. Words of the name match unless the whole name is given. */
function isPerson(person: Person | null, value: string, whole: boolean): boolean {
  if (!person) return false
  if (same(person.uniqueName, value) || same(person.uniqueName?.split('@')[0] ?? null, value)) return true
  if (whole) return same(person.displayName, value)
  const names = normalizeText(person.displayName).split(/\s+/)
  return normalizeText(value)
    .split(/\s+/)
    .every((name) => names.includes(name))
}
