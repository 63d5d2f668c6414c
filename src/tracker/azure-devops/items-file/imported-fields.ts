import type { ImportedItem } from '../../imported-item'
import {
  DEFAULT_POINTS_FIELDS,
  fieldNames,
  parseLongText,
  parseNumber,
  parsePerson,
  parseTags,
  parseText,
} from '../field-values'

/** What fields say under neutral names. A field that is there and empty says that it is empty. */
export function mapImportedFields(
  fields: Record<string, unknown>,
  formats: Record<string, unknown> = {},
): Omit<ImportedItem, 'id' | 'fields'> {
  const has = (name: string) => Object.hasOwn(fields, name)
  const text = (name: string) => (has(name) ? parseText(fields[name]).trim() : undefined)
  const points = DEFAULT_POINTS_FIELDS.filter(has)
  const told: Omit<ImportedItem, 'id' | 'fields'> = {
    type: text(fieldNames.type),
    title: text(fieldNames.title),
    state: text(fieldNames.state),
    areaPath: text(fieldNames.areaPath),
    iterationPath: text(fieldNames.iterationPath),
    assignedTo: has(fieldNames.assignedTo) ? parsePerson(fields[fieldNames.assignedTo]) : undefined,
    tags: has(fieldNames.tags) ? parseTags(fields[fieldNames.tags]) : undefined,
    storyPoints:
      points.length === 0
        ? undefined
        : (points.map((name) => parseNumber(fields[name])).find((n) => n !== null) ?? null),
    priority: has(fieldNames.priority) ? parseNumber(fields[fieldNames.priority]) : undefined,
    parentId: has(fieldNames.parent) ? parseNumber(fields[fieldNames.parent]) : undefined,
    blockedField: has(fieldNames.blocked) ? isYes(fields[fieldNames.blocked]) : undefined,
    description:
      has(fieldNames.description) || has(fieldNames.reproSteps)
        ? (parseLongText(fields, formats, fieldNames.description) ??
          parseLongText(fields, formats, fieldNames.reproSteps))
        : undefined,
    acceptanceCriteria: has(fieldNames.acceptanceCriteria)
      ? parseLongText(fields, formats, fieldNames.acceptanceCriteria)
      : undefined,
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

function isYes(value: unknown): boolean {
  return value === true || parseText(value).toLowerCase() === 'yes'
}
