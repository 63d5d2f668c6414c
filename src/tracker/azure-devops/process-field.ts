import type { ItemProperty, ProcessField } from '../tracker'
import { fieldNames, usualPointsFields } from './field-values'
import type { WireField, WireType } from './wire'

type Kind = ProcessField['kind']

/** Kinds of the tracker's field types; a type that is not here is a string. */
const kinds: Record<string, Kind> = {
  plaintext: 'text',
  html: 'text',
  history: 'text',
  integer: 'integer',
  picklistinteger: 'integer',
  double: 'number',
  picklistdouble: 'number',
  datetime: 'date',
  boolean: 'boolean',
  identity: 'identity',
  treepath: 'path',
}

/** Fields with a neutral property, and their kind where the tracker does not describe its fields. */
const known: Record<string, { property: ItemProperty; kind: Kind }> = {
  [fieldNames.title]: { property: 'title', kind: 'string' },
  [fieldNames.state]: { property: 'state', kind: 'string' },
  [fieldNames.assignedTo]: { property: 'assignedTo', kind: 'identity' },
  [fieldNames.areaPath]: { property: 'areaPath', kind: 'path' },
  [fieldNames.iterationPath]: { property: 'iterationPath', kind: 'path' },
  [fieldNames.tags]: { property: 'tags', kind: 'tags' },
  [fieldNames.priority]: { property: 'priority', kind: 'integer' },
  [fieldNames.description]: { property: 'description', kind: 'text' },
  [fieldNames.acceptanceCriteria]: { property: 'acceptanceCriteria', kind: 'text' },
}

interface Surroundings {
  /** The process's own points field, where it says. */
  pointsField: string | null
  /** Whether the process has a field of that reference name. */
  has(referenceName: string): boolean
}

export function processFieldOf(field: WireField, surroundings: Surroundings): ProcessField {
  const { referenceName } = field
  const isPoints = referenceName === pointsFieldAmong(surroundings)
  return {
    referenceName,
    name: field.name || referenceName,
    kind: isPoints && !field.type ? 'number' : kindOf(field),
    readOnly: field.readOnly ?? false,
    property: isPoints ? 'storyPoints' : (known[referenceName]?.property ?? null),
  }
}

/** What the types alone tell about the fields: names. */
export function wireFieldsOfTypes(types: readonly WireType[]): WireField[] {
  const fields = types.flatMap((type) => type.fields ?? [])
  return [...new Map(fields.map((field) => [field.referenceName, field])).values()]
}

function pointsFieldAmong({ pointsField, has }: Surroundings): string | null {
  return pointsField ?? usualPointsFields.find((name) => has(name)) ?? null
}

function kindOf(field: WireField): Kind {
  if (field.referenceName === fieldNames.tags) return 'tags'
  if (field.isIdentity === true) return 'identity'
  if (!field.type) return known[field.referenceName]?.kind ?? 'string'
  return kinds[field.type.toLowerCase()] ?? 'string'
}
