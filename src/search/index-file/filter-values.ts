import type { Entity } from '../entity'
import type { Filterable, Qualifier } from '../rules/filters'
import { PART } from './segment-keys'

/** The first character of the keys of a qualifier's values. */
export const FILTER_KEYS = {
  state: 's',
  type: 'y',
  assignee: 'p',
  tag: 'g',
  area: 'a',
  iteration: 'r',
} as const satisfies Record<Qualifier, string>

/** Under which values an entity is listed: of tags all, of all else one; an empty one where it has none. */
export function filterKeys(entity: Entity): string[] {
  const { assignedTo, tags } = entity
  const person = assignedTo === null ? '' : `${assignedTo.displayName}${PART}${assignedTo.uniqueName ?? ''}`
  return [
    `${FILTER_KEYS.state}${entity.state ?? ''}`,
    `${FILTER_KEYS.type}${entity.type}${PART}${entity.itemType ?? ''}`,
    `${FILTER_KEYS.assignee}${person}`,
    `${FILTER_KEYS.area}${entity.areaPath ?? ''}`,
    `${FILTER_KEYS.iteration}${entity.iterationPath ?? ''}`,
    ...(tags.length === 0 ? [''] : [...new Set(tags)]).map((tag) => `${FILTER_KEYS.tag}${tag}`),
  ]
}

const NOTHING: Filterable = {
  type: '',
  itemType: null,
  state: null,
  assignedTo: null,
  tags: [],
  areaPath: null,
  iterationPath: null,
}

/** Something that has this value and no other, for a filter to judge. */
export function filterableWith(qualifier: Qualifier, value: string): Filterable {
  const [first, second] = value.split(PART)
  const only: Record<Qualifier, Partial<Filterable>> = {
    state: { state: value || null },
    type: { type: first!, itemType: second || null },
    assignee: { assignedTo: value === '' ? null : { displayName: first!, uniqueName: second || null } },
    tag: { tags: value === '' ? [] : [value] },
    area: { areaPath: value || null },
    iteration: { iterationPath: value || null },
  }
  return { ...NOTHING, ...only[qualifier] }
}
