import type { StateCategory, TrackerItem } from '../tracker'
import {
  DEFAULT_POINTS_FIELDS,
  fieldNames,
  parseInstant,
  parseLongText,
  parseNumber,
  parsePerson,
  parseTags,
  parseText,
} from './field-values'
import { findParentId, fingerprintRelations, listPredecessorIds } from './relations'
import type { WireItem } from './wire-schemas'

/** What the process says that an item alone does not tell. */
export interface ItemMapping {
  /** The field that holds the points; null where the process does not say. */
  pointsField: string | null
  levelOf(type: string): number | null
  categoryOf(type: string, state: string): StateCategory | null
  pageUrl(id: number): string
  /** Under which address the tracker was reached. */
  base: string
}

const UNKNOWN_INSTANT = '1970-01-01T00:00:00.000Z'

/** An item of the wire in neutral names. The wire item was read with its relations. */
export function mapItem(wire: WireItem, reading: ItemMapping): TrackerItem {
  const { fields } = wire
  const relations = wire.relations ?? []
  const formats = wire.multilineFieldsFormat ?? {}
  const type = parseText(fields[fieldNames.type])
  const state = parseText(fields[fieldNames.state])
  const createdAt = parseInstant(fields[fieldNames.createdDate])
  return {
    id: wire.id,
    rev: wire.rev,
    type,
    level: reading.levelOf(type),
    title: parseText(fields[fieldNames.title]),
    state,
    stateCategory: reading.categoryOf(type, state),
    assignedTo: parsePerson(fields[fieldNames.assignedTo]),
    areaPath: parseText(fields[fieldNames.areaPath]),
    iterationPath: parseText(fields[fieldNames.iterationPath]),
    tags: parseTags(fields[fieldNames.tags]),
    storyPoints: readPoints(fields, reading.pointsField),
    priority: parseNumber(fields[fieldNames.priority]),
    parentId: findParentId(relations) ?? parseNumber(fields[fieldNames.parent]),
    predecessorIds: listPredecessorIds(relations),
    blockedField: isYes(fields[fieldNames.blocked]),
    description:
      parseLongText(fields, formats, fieldNames.description) ?? parseLongText(fields, formats, fieldNames.reproSteps),
    acceptanceCriteria: parseLongText(fields, formats, fieldNames.acceptanceCriteria),
    createdAt,
    changedAt: parseInstant(fields[fieldNames.changedDate]) ?? createdAt ?? UNKNOWN_INSTANT,
    url: reading.pageUrl(wire.id),
    relationsFingerprint: fingerprintRelations(relations, reading.base),
    fields,
  }
}

function readPoints(fields: Record<string, unknown>, pointsField: string | null): number | null {
  const candidates = pointsField === null ? DEFAULT_POINTS_FIELDS : [pointsField]
  return candidates.map((field) => parseNumber(fields[field])).find((points) => points !== null) ?? null
}

function isYes(value: unknown): boolean {
  return value === true || parseText(value).toLowerCase() === 'yes'
}
