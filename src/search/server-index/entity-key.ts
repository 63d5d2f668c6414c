import type { EntityType } from '../services/search-index'

/** In the order in which equals are shown. */
export const TYPES: readonly EntityType[] = ['devops', 'draft', 'folder']
export const TYPE_COUNT = TYPES.length

/** The number by which the index knows an entity. */
export function encodeEntityKey({ type, id }: { type: EntityType; id: number }): number {
  return id * TYPE_COUNT + TYPES.indexOf(type)
}

export function decodeEntityKey(key: number): { type: EntityType; id: number } {
  const place = key % TYPE_COUNT
  return { type: TYPES[place]!, id: (key - place) / TYPE_COUNT }
}
