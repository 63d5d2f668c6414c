import { DEFAULT_TRACKER_NAME } from '../../kernel/text/item-reference'
import type { StateCategory } from '../../tracker'
import { type Filterable, type Qualifier, trackerOf } from '../rules/filters'
import type { Entity } from '../services/entity'
import type { EntityType } from '../services/search-index'
import type { TableRoot } from './sorted-table'

/**
 * The contents of a segment's table. The first character of a key is its kind:
 *
 * | key | value |
 * |---|---|
 * | `t` term, `i` term | the documents that contain it anywhere; in their title |
 * | `f` form | whether a text contains it as one word |
 * | `v` length | the forms of this length, as `similar-forms.ts` writes them |
 * | `l` terms of a title, each followed by a space | the documents with this title |
 * | `#` id | the documents with this ID |
 * | `=` type `:` id | the document of this entity, and the fingerprint of its source |
 * | `s` `y` `p` `g` `a` `r` `o` `k` and a value | the documents with this state, type, person, tag, area, iteration, priority, tracker |
 */
export const termKey = (term: string) => `t${term}`
export const titleTermKey = (term: string) => `i${term}`
export const formKey = (form: string) => `f${form}`
export const FORMS_LIST_KEY_PREFIX = 'v'
export const titleLineKey = (line: string) => `l${line}`
export const idKey = (id: number) => `#${id}`
export const entityKey = (type: EntityType, id: number) => `=${type}:${id}`
export const ENTITY_KEY_PREFIX = '='

/** Separates the parts of a key. */
export const PART_SEPARATOR = '\u0000'

/** The first character of the keys of a qualifier's values. */
export const FILTER_KEYS = {
  state: 's',
  type: 'y',
  assignee: 'p',
  tag: 'g',
  area: 'a',
  iteration: 'r',
  priority: 'o',
  tracker: 'k',
  id: '#',
} as const satisfies Record<Qualifier, string>

/** The keys of an entity's values, without its ID. A missing value is an empty text. */
export function listFilterKeys(entity: Entity): string[] {
  const { assignedTo, tags } = entity
  const person = assignedTo === null ? '' : `${assignedTo.displayName}${PART_SEPARATOR}${assignedTo.uniqueName ?? ''}`
  return [
    `${FILTER_KEYS.state}${entity.state === null ? '' : [entity.state, entity.stateCategory ?? ''].join(PART_SEPARATOR)}`,
    `${FILTER_KEYS.type}${[entity.type, entity.itemType ?? '', entity.level ?? ''].join(PART_SEPARATOR)}`,
    `${FILTER_KEYS.priority}${entity.priority ?? ''}`,
    `${FILTER_KEYS.tracker}${trackerOf(entity) ?? ''}`,
    `${FILTER_KEYS.assignee}${person}`,
    `${FILTER_KEYS.area}${entity.areaPath ?? ''}`,
    `${FILTER_KEYS.iteration}${entity.iterationPath ?? ''}`,
    ...(tags.length === 0 ? [''] : [...new Set(tags)]).map((tag) => `${FILTER_KEYS.tag}${tag}`),
  ]
}

const NOTHING: Filterable = {
  id: 0,
  type: '',
  itemType: null,
  level: null,
  state: null,
  stateCategory: null,
  priority: null,
  reference: null,
  assignedTo: null,
  tags: [],
  areaPath: null,
  iterationPath: null,
}

/** An object with this value only, to which a filter can be applied. */
export function toFilterable(qualifier: Qualifier, value: string): Filterable {
  const [first, second, third] = value.split(PART_SEPARATOR)
  const only: Record<Qualifier, Partial<Filterable>> = {
    state: { state: first || null, stateCategory: (second || null) as StateCategory | null },
    type: { type: first!, itemType: second || null, level: third ? Number(third) : null },
    assignee: { assignedTo: value === '' ? null : { displayName: first!, uniqueName: second || null } },
    tag: { tags: value === '' ? [] : [value] },
    area: { areaPath: value || null },
    iteration: { iterationPath: value || null },
    priority: { priority: value === '' ? null : Number(value) },
    tracker: value === '' ? {} : { type: 'devops', reference: value === DEFAULT_TRACKER_NAME ? null : `${value}:` },
    id: { id: Number(value) },
  }
  return { ...NOTHING, ...only[qualifier] }
}

/** What reading a segment requires. */
export interface SegmentFacts {
  bytes: number
  documents: number
  /** The number of different terms. */
  terms: number
  /** The offset of the first page of record offsets. */
  pages: number
  table: TableRoot
}

/** A page says where so many records are: the offset in eight bytes, the length in four. */
export const RECORDS_PER_PAGE = 128
export const SPAN_BYTES = 12
export const PAGE_BYTES = RECORDS_PER_PAGE * SPAN_BYTES
export const FINGERPRINT_BYTES = 8

/** A record contains what results show and phrases are searched in: JSON without names. */
export function encodeRecord(entity: Entity): string {
  const { assignedTo } = entity
  return JSON.stringify([
    entity.type,
    entity.id,
    entity.updatedAt,
    entity.title,
    entity.tags,
    entity.description,
    entity.criteria,
    entity.itemType,
    entity.state,
    assignedTo && [assignedTo.displayName, assignedTo.uniqueName],
    entity.areaPath,
    entity.iterationPath,
    entity.folderId,
    entity.url,
    entity.level,
    entity.stateCategory,
    entity.priority,
    entity.reference,
  ])
}

export function decodeRecord(bytes: Buffer): Entity {
  const [
    type,
    id,
    updatedAt,
    title,
    tags,
    description,
    criteria,
    itemType,
    state,
    person,
    areaPath,
    iterationPath,
    folderId,
    url,
    level,
    stateCategory,
    priority,
    reference,
  ] = JSON.parse(bytes.toString())
  const assignedTo = person && { displayName: person[0], uniqueName: person[1] }
  return {
    type,
    id,
    updatedAt,
    title,
    tags,
    description,
    criteria,
    itemType,
    state,
    assignedTo,
    areaPath,
    iterationPath,
    folderId,
    url,
    level,
    stateCategory,
    priority,
    reference,
  }
}
