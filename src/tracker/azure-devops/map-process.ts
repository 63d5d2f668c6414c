import type { ItemProperty, ProcessField, TrackerProcess, WorkItemType } from '../tracker'
import { findPointsField, mapBacklogLevels, mapStates } from './backlog'
import { DEFAULT_POINTS_FIELDS, fieldNames, parseColor } from './field-values'
import type { WireBacklog, WireCategories, WireField, WireType } from './wire-schemas'

/** Everything that was read to describe a process; null for what the tracker refused. */
export interface ProcessSources {
  types: readonly WireType[]
  backlog: WireBacklog | null
  fields: readonly WireField[] | null
  categories: WireCategories | null
  areaPaths: string[]
  iterations: TrackerProcess['iterations']
}

export function mapProcess(sources: ProcessSources): TrackerProcess {
  return {
    types: mapTypes(sources),
    areaPaths: sources.areaPaths,
    iterations: sources.iterations,
    fields: mapFields(sources),
  }
}

function mapTypes({ types, backlog, categories }: ProcessSources): WorkItemType[] {
  const levels = mapBacklogLevels(backlog)
  return types
    .filter((type) => type.isDisabled !== true)
    .map((type) => ({
      name: type.name,
      color: parseColor(type.color),
      level: levels.get(type.name) ?? null,
      category: findCategory(type.name, categories),
      states: mapStates(type, backlog),
      fieldReferenceNames: (type.fields ?? []).map((field) => field.referenceName),
    }))
}

function findCategory(typeName: string, categories: WireCategories | null): string | null {
  return (
    categories?.value.find(({ workItemTypes }) => workItemTypes?.some(({ name }) => name === typeName))?.name ?? null
  )
}

/** The fields that at least one type has. */
function mapFields({ types, backlog, fields }: ProcessSources): ProcessField[] {
  const ofTypes = listFieldsOfTypes(types)
  const described = fields ?? ofTypes
  const used = new Set(ofTypes.map((field) => field.referenceName))
  const wanted = used.size === 0 ? described : described.filter((field) => used.has(field.referenceName))
  const names = new Set(wanted.map((field) => field.referenceName))
  const pointsField = findPointsField(backlog)
  return wanted.map((field) => mapProcessField(field, { pointsField, has: (name) => names.has(name) }))
}

type Kind = ProcessField['kind']

/** Kinds of the tracker's field types; other types are strings. */
const KIND_OF_TYPE: Record<string, Kind> = {
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

/** Fields with a neutral property, and their kind in case the tracker does not describe its fields. */
const KNOWN_FIELDS: Record<string, { property: ItemProperty; kind: Kind }> = {
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

interface FieldContext {
  /** The points field of the process, if it has one. */
  pointsField: string | null
  /** Whether the process has a field of that reference name. */
  has(referenceName: string): boolean
}

function mapProcessField(field: WireField, surroundings: FieldContext): ProcessField {
  const { referenceName } = field
  const isPoints = referenceName === choosePointsField(surroundings)
  return {
    referenceName,
    name: field.name || referenceName,
    kind: isPoints && !field.type ? 'number' : findKind(field),
    readOnly: field.readOnly ?? false,
    property: isPoints ? 'storyPoints' : (KNOWN_FIELDS[referenceName]?.property ?? null),
  }
}

/** The fields of the types, which have names but no kinds. */
function listFieldsOfTypes(types: readonly WireType[]): WireField[] {
  const fields = types.flatMap((type) => type.fields ?? [])
  return [...new Map(fields.map((field) => [field.referenceName, field])).values()]
}

function choosePointsField({ pointsField, has }: FieldContext): string | null {
  return pointsField ?? DEFAULT_POINTS_FIELDS.find((name) => has(name)) ?? null
}

function findKind(field: WireField): Kind {
  if (field.referenceName === fieldNames.tags) return 'tags'
  if (field.isIdentity === true) return 'identity'
  if (!field.type) return KNOWN_FIELDS[field.referenceName]?.kind ?? 'string'
  return KIND_OF_TYPE[field.type.toLowerCase()] ?? 'string'
}
