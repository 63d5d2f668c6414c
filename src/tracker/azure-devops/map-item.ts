import { createHash } from 'node:crypto'
import type { StateCategory, TrackerItem } from '../tracker'
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
    predecessorIds: listPredecessorIds(relations),
    blockedField: parseYes(fields[fieldNames.blocked]),
    description:
      parseLongText(fields, formats, fieldNames.description) ?? parseLongText(fields, formats, fieldNames.reproSteps),
    acceptanceCriteria: parseLongText(fields, formats, fieldNames.acceptanceCriteria),
    markdownFields: listMarkdownFields(formats),
    createdAt,
    changedAt: parseInstant(fields[fieldNames.changedDate]) ?? createdAt ?? UNKNOWN_INSTANT,
    url: mapping.pageUrl(wire.id),
    relationsFingerprint: fingerprintRelations(relations, mapping.base),
    fields,
  }
}

function readPoints(fields: Record<string, unknown>, pointsField: string | null): number | null {
  const candidates = pointsField === null ? DEFAULT_POINTS_FIELDS : [pointsField]
  return candidates.map((field) => parseNumber(fields[field])).find((points) => points !== null) ?? null
}

const RELATIONS = {
  parent: 'system.linktypes.hierarchy-reverse',
  child: 'system.linktypes.hierarchy-forward',
  predecessor: 'system.linktypes.dependency-reverse',
}

/** IDs of items that must be completed first, in ascending order. */
export function listPredecessorIds(relations: readonly WireRelation[]): number[] {
  return listLinkedIds(relations, 'predecessor').sort((a, b) => a - b)
}

/** The IDs of items to which there is a link, each once. */
export function listLinkedIds(relations: readonly WireRelation[], kind: keyof typeof RELATIONS): number[] {
  const ids = relations.flatMap(({ rel, url }) =>
    rel.toLowerCase() === RELATIONS[kind] ? (parseItemId(url) ?? []) : [],
  )
  return [...new Set(ids)]
}

/**
 * A digest of the kind and target of every link in any order: work items, hyperlinks, attachments. Comments, dates and locks of a link do not
 * count, and neither does the address of the tracker (`base`).
 */
export function fingerprintRelations(relations: readonly WireRelation[], base: string): string {
  const lines = relations
    .map((relation) => JSON.stringify([relation.rel.toLowerCase(), normalizeTarget(relation, base)]))
    .sort()
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

/** Parses the ID at the end of `…/_apis/wit/workItems/297`. */
function parseItemId(url: string): number | null {
  const [path = ''] = url.split(/[?#]/, 1)
  const [, digits] = /\/workitems\/(\d+)\/?$/i.exec(path) ?? []
  return digits === undefined ? null : Number(digits)
}

function normalizeTarget({ rel, url }: WireRelation, base: string): string {
  const id = rel === 'Hyperlink' ? null : parseItemId(url)
  if (id !== null) return `#${id}`
  const target = url.startsWith(base) ? url.slice(base.length) : url
  // The query contains the file name when the file is attached, but not when the item is read.
  return rel === 'AttachedFile' ? target.replace(/\?.*/s, '') : target
}
