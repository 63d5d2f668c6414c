import type { EntityType } from '../search-index'

/** In the order in which equals are shown. */
export const TYPES: readonly EntityType[] = ['devops', 'draft', 'folder']
export const PLACES = TYPES.length

/** The number by which the index knows an entity. */
export function keyOf({ type, id }: { type: EntityType; id: number }): number {
  return id * PLACES + TYPES.indexOf(type)
}

export function entityAt(key: number): { type: EntityType; id: number } {
  const place = key % PLACES
  return { type: TYPES[place]!, id: (key - place) / PLACES }
}
