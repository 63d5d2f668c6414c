import type { Attachment, StateCategory, TrackerItem } from '../tracker'
import {
  DEFAULT_POINTS_FIELDS,
  fieldNames,
  listMarkdownFields,
  parseInstant,
  parseLongText,
  parseNumber,
  parsePerson,
  parseTags,
  parseText,
  parseYes,
} from './field-values'
import { fingerprintRelations, listLinkedIds, listSortedIds } from './relations'
import type { WireItem, WireRelation } from './wire-schemas'

/** Properties of the process that mapping an item needs. */
export interface ItemMapping {
  /** The field of the points; null if the process does not define it. */
  pointsField: string | null
  levelOf(type: string): number | null
  categoryOf(type: string, state: string): StateCategory | null
  pageUrl(id: number): string
  /** The address of the tracker. */
  base: string
}

const UNKNOWN_INSTANT = '1970-01-01T00:00:00.000Z'

/** Maps an item that was read with its relations to neutral names. */
export function mapItem(wire: WireItem, mapping: ItemMapping): TrackerItem {
  const { fields } = wire
  const relations = wire.relations ?? []
  const formats = wire.multilineFieldsFormat ?? {}
  const type = parseText(fields[fieldNames.type])
  const state = parseText(fields[fieldNames.state])
  const createdAt = parseInstant(fields[fieldNames.createdDate])
  return {
    id: wire.id,
    key: String(wire.id),
    rev: wire.rev,
    type,
    level: mapping.levelOf(type),
    title: parseText(fields[fieldNames.title]),
    state,
    stateCategory: mapping.categoryOf(type, state),
    assignedTo: parsePerson(fields[fieldNames.assignedTo]),
    areaPath: parseText(fields[fieldNames.areaPath]),
    iterationPath: parseText(fields[fieldNames.iterationPath]),
    tags: parseTags(fields[fieldNames.tags]),
    storyPoints: readPoints(fields, mapping.pointsField),
    priority: parseNumber(fields[fieldNames.priority]),
    parentId: listLinkedIds(relations, 'parent')[0] ?? parseNumber(fields[fieldNames.parent]),
    predecessorIds: listSortedIds(relations, 'predecessor'),
    successorIds: listSortedIds(relations, 'successor'),
    relatedIds: listSortedIds(relations, 'related'),
    blockedField: parseYes(fields[fieldNames.blocked]),
    description:
      parseLongText(fields, formats, fieldNames.description) ?? parseLongText(fields, formats, fieldNames.reproSteps),
    acceptanceCriteria: parseLongText(fields, formats, fieldNames.acceptanceCriteria),
    markdownFields: listMarkdownFields(formats),
    createdAt,
    changedAt: parseInstant(fields[fieldNames.changedDate]) ?? createdAt ?? UNKNOWN_INSTANT,
    attachments: relations.flatMap(mapAttachment),
    url: mapping.pageUrl(wire.id),
    relationsFingerprint: fingerprintRelations(relations, mapping.base),
    fields,
  }
}

function readPoints(fields: Record<string, unknown>, pointsField: string | null): number | null {
  const candidates = pointsField === null ? DEFAULT_POINTS_FIELDS : [pointsField]
  return candidates.map((field) => parseNumber(fields[field])).find((points) => points !== null) ?? null
}

function mapAttachment({ rel, attributes }: WireRelation): Attachment[] {
  if (rel !== 'AttachedFile') return []
  return [{ name: parseText(attributes?.['name']), size: parseNumber(attributes?.['resourceSize']) }]
}
