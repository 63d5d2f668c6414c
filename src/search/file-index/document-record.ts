import type { Entity } from '../services/entity'

/** What is shown of a document, and what phrases are looked for in, as it stands in a segment: JSON without names. */
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
  }
}
