import type { ToldItem } from '../../told-item'
import {
  fieldNames,
  longTextValue,
  numberValue,
  personValue,
  tagsValue,
  textValue,
  usualPointsFields,
} from '../field-values'

/** What fields say under neutral names. A field that is there and empty says that it is empty. */
export function propertiesOf(
  fields: Record<string, unknown>,
  formats: Record<string, unknown> = {},
): Omit<ToldItem, 'id' | 'fields'> {
  const has = (name: string) => Object.hasOwn(fields, name)
  const text = (name: string) => (has(name) ? textValue(fields[name]).trim() : undefined)
  const points = usualPointsFields.filter(has)
  const told: Omit<ToldItem, 'id' | 'fields'> = {
    type: text(fieldNames.type),
    title: text(fieldNames.title),
    state: text(fieldNames.state),
    areaPath: text(fieldNames.areaPath),
    iterationPath: text(fieldNames.iterationPath),
    assignedTo: has(fieldNames.assignedTo) ? personValue(fields[fieldNames.assignedTo]) : undefined,
    tags: has(fieldNames.tags) ? tagsValue(fields[fieldNames.tags]) : undefined,
    storyPoints:
      points.length === 0
        ? undefined
        : (points.map((name) => numberValue(fields[name])).find((n) => n !== null) ?? null),
    priority: has(fieldNames.priority) ? numberValue(fields[fieldNames.priority]) : undefined,
    parentId: has(fieldNames.parent) ? numberValue(fields[fieldNames.parent]) : undefined,
    blockedField: has(fieldNames.blocked) ? isYes(fields[fieldNames.blocked]) : undefined,
    description:
      has(fieldNames.description) || has(fieldNames.reproSteps)
        ? (longTextValue(fields, formats, fieldNames.description) ??
          longTextValue(fields, formats, fieldNames.reproSteps))
        : undefined,
    acceptanceCriteria: has(fieldNames.acceptanceCriteria)
      ? longTextValue(fields, formats, fieldNames.acceptanceCriteria)
      : undefined,
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

function isYes(value: unknown): boolean {
  return value === true || textValue(value).toLowerCase() === 'yes'
}
