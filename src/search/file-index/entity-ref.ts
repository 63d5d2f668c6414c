import type { EntityType } from '../services/search-index'

export type EntityRef = `${EntityType}:${number}`

export function toEntityRef({ type, id }: { type: EntityType; id: number }): EntityRef {
  return `${type}:${id}`
}

export function parseEntityRef(ref: EntityRef): { type: EntityType; id: number } {
  const colon = ref.indexOf(':')
  return { type: ref.slice(0, colon) as EntityType, id: Number(ref.slice(colon + 1)) }
}
