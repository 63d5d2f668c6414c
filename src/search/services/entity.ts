import type { Searchable } from '../../items'
import type { EntityType } from './search-index'

/** A searchable whose long texts are plain: one line, without markup and control characters. */
export interface Entity extends Omit<Searchable, 'description' | 'acceptanceCriteria'> {
  description: string
  criteria: string
}

/** The order of equal results: newest first, entities without a date last. */
export function compareByNewest(a: Stamp, b: Stamp): number {
  const [left, right] = [a.updatedAt ?? '', b.updatedAt ?? '']
  if (left !== right) return left < right ? 1 : -1
  return a.type === b.type ? b.id - a.id : a.type < b.type ? -1 : 1
}

type Stamp = Pick<Searchable, 'type' | 'id' | 'updatedAt'>

/** In the order of equal results. */
export const TYPES: readonly EntityType[] = ['devops', 'draft', 'folder']
export const TYPE_COUNT = TYPES.length

/** The key of an entity in the index. */
export function encodeEntityKey({ type, id }: { type: EntityType; id: number }): number {
  return id * TYPE_COUNT + TYPES.indexOf(type)
}

export function decodeEntityKey(key: number): { type: EntityType; id: number } {
  const place = key % TYPE_COUNT
  return { type: TYPES[place]!, id: (key - place) / TYPE_COUNT }
}
