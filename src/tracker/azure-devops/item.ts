import type { StateCategory, TrackerItem } from '../tracker'
import {
  fieldNames,
  instantValue,
  longTextValue,
  numberValue,
  personValue,
  tagsValue,
  textValue,
  usualPointsFields,
} from './field-values'
import { fingerprintOf, parentOf, predecessorsOf } from './relations'
import type { WireItem } from './wire'

/** What the process says that an item alone does not tell. */
export interface ItemReading {
  /** The field that holds the points; null where the process does not say. */
  pointsField: string | null
  levelOf(type: string): number | null
  categoryOf(type: string, state: string): StateCategory | null
  urlOf(id: number): string
  /** Under which address the tracker was reached. */
  base: string
}

const noInstant = '1970-01-01T00:00:00.000Z'

/** An item of the wire in neutral names. The wire item was read with its relations. */
export function itemOf(wire: WireItem, reading: ItemReading): TrackerItem {
  const { fields } = wire
  const relations = wire.relations ?? []
  const formats = wire.multilineFieldsFormat ?? {}
  const type = textValue(fields[fieldNames.type])
  const state = textValue(fields[fieldNames.state])
  const createdAt = instantValue(fields[fieldNames.createdDate])
  return {
    id: wire.id,
    rev: wire.rev,
    type,
    level: reading.levelOf(type),
    title: textValue(fields[fieldNames.title]),
    state,
    stateCategory: reading.categoryOf(type, state),
    assignedTo: personValue(fields[fieldNames.assignedTo]),
    areaPath: textValue(fields[fieldNames.areaPath]),
    iterationPath: textValue(fields[fieldNames.iterationPath]),
    tags: tagsValue(fields[fieldNames.tags]),
    storyPoints: pointsOf(fields, reading.pointsField),
    priority: numberValue(fields[fieldNames.priority]),
    parentId: parentOf(relations) ?? numberValue(fields[fieldNames.parent]),
    predecessorIds: predecessorsOf(relations),
    blockedField: isYes(fields[fieldNames.blocked]),
    description:
      longTextValue(fields, formats, fieldNames.description) ?? longTextValue(fields, formats, fieldNames.reproSteps),
    acceptanceCriteria: longTextValue(fields, formats, fieldNames.acceptanceCriteria),
    createdAt,
    changedAt: instantValue(fields[fieldNames.changedDate]) ?? createdAt ?? noInstant,
    url: reading.urlOf(wire.id),
    relationsFingerprint: fingerprintOf(relations, reading.base),
    fields,
  }
}

function pointsOf(fields: Record<string, unknown>, pointsField: string | null): number | null {
  const candidates = pointsField === null ? usualPointsFields : [pointsField]
  return candidates.map((field) => numberValue(fields[field])).find((points) => points !== null) ?? null
}

function isYes(value: unknown): boolean {
  return value === true || textValue(value).toLowerCase() === 'yes'
}
