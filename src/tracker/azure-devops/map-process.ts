import type { ItemProperty, ProcessField, StateCategory, TrackerProcess, WorkItemType } from '../tracker'
import { DEFAULT_POINTS_FIELDS, fieldNames, parseColor } from './field-values'
import type { WireBacklog, WireCategories, WireField, WireType } from './wire-schemas'

/** The responses that describe a process; null if the tracker refused a request. */
interface ProcessSources {
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
      requiredFields: (type.fields ?? []).flatMap(({ referenceName, alwaysRequired, defaultValue }) =>
        alwaysRequired && defaultValue == null && !SET_BY_THE_TRACKER.has(referenceName) ? [referenceName] : [],
      ),
      descriptionField: findDescriptionField((type.fields ?? []).map((field) => field.referenceName)),
    }))
}

/** Required fields for which the tracker has a value although its description of the type shows no default. */
const SET_BY_THE_TRACKER = new Set(['System.State', 'System.Reason', 'System.AreaId', 'System.IterationId'])

/** The form of a bug shows the steps to reproduce it in place of the description. */
export function findDescriptionField(names: readonly string[]): string {
  return names.includes(fieldNames.reproSteps) ? fieldNames.reproSteps : fieldNames.description
}

/** The fields of the properties, as they are in every process but for the points. */
export function mapPropertyFields(pointsField: string | null, description: string): Map<ItemProperty, ProcessField> {
  const named = [...KNOWN_FIELDS].map(([referenceName, { property, kind }]): [ItemProperty, ProcessField] => [
    property,
    {
      referenceName: property === 'description' ? description : referenceName,
      name: PROPERTY_NAMES[property],
      kind,
      readOnly: false,
      property,
    },
  ])
  const storyPoints: ProcessField = {
    referenceName: pointsField ?? DEFAULT_POINTS_FIELDS[0],
    name: PROPERTY_NAMES.storyPoints,
    kind: 'number',
    readOnly: false,
    property: 'storyPoints',
  }
  return new Map([...named, ['storyPoints', storyPoints]])
}

const PROPERTY_NAMES: Record<ItemProperty, string> = {
  title: 'Title',
  state: 'State',
  assignedTo: 'Assigned To',
  areaPath: 'Area Path',
  iterationPath: 'Iteration Path',
  tags: 'Tags',
  storyPoints: 'Story Points',
  priority: 'Priority',
  description: 'Description',
  acceptanceCriteria: 'Acceptance Criteria',
}

function findCategory(typeName: string, categories: WireCategories | null): string | null {
  return (
    categories?.value.find(({ workItemTypes }) => workItemTypes?.some(({ name }) => name === typeName))?.name ?? null
  )
}

/** The fields that at least one type has. The types list names without kinds. */
function mapFields({ types, backlog, fields }: ProcessSources): ProcessField[] {
  const ofTypes = new Map<string, WireField>(
    types.flatMap((type) => type.fields ?? []).map((field) => [field.referenceName, field]),
  )
  const described = fields ?? [...ofTypes.values()]
  const relevant = ofTypes.size === 0 ? described : described.filter((field) => ofTypes.has(field.referenceName))
  const names = new Set<string>(relevant.map((field) => field.referenceName))
  const pointsField = findPointsField(backlog) ?? DEFAULT_POINTS_FIELDS.find((name) => names.has(name))
  return relevant.map((field) => {
    const { referenceName } = field
    const isPoints = referenceName === pointsField
    return {
      referenceName,
      name: field.name || referenceName,
      kind: isPoints && !field.type ? 'number' : findKind(field),
      readOnly: field.readOnly ?? false,
      property: isPoints ? 'storyPoints' : (KNOWN_FIELDS.get(referenceName)?.property ?? null),
    }
  })
}

type Kind = ProcessField['kind']

/** Kinds of the tracker's field types; other types are strings. */
const KIND_OF_TYPE: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
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
  }),
)

/** Fields with a neutral property, and their kind in case the tracker does not describe its fields. */
const KNOWN_FIELDS: ReadonlyMap<string, { property: ItemProperty; kind: Kind }> = new Map(
  Object.entries({
    [fieldNames.title]: { property: 'title', kind: 'string' },
    [fieldNames.state]: { property: 'state', kind: 'string' },
    [fieldNames.assignedTo]: { property: 'assignedTo', kind: 'identity' },
    [fieldNames.areaPath]: { property: 'areaPath', kind: 'path' },
    [fieldNames.iterationPath]: { property: 'iterationPath', kind: 'path' },
    [fieldNames.tags]: { property: 'tags', kind: 'tags' },
    [fieldNames.priority]: { property: 'priority', kind: 'integer' },
    [fieldNames.description]: { property: 'description', kind: 'text' },
    [fieldNames.acceptanceCriteria]: { property: 'acceptanceCriteria', kind: 'text' },
  }),
)

function findKind(field: WireField): Kind {
  if (field.referenceName === fieldNames.tags) return 'tags'
  if (field.isIdentity === true) return 'identity'
  if (!field.type) return KNOWN_FIELDS.get(field.referenceName)?.kind ?? 'string'
  return KIND_OF_TYPE.get(field.type.toLowerCase()) ?? 'string'
}

const categories: StateCategory[] = ['Proposed', 'InProgress', 'Resolved', 'Completed', 'Removed']

/** The field of the points in this process; null if the process does not define it. */
export function findPointsField(backlog: WireBacklog | null): string | null {
  return backlog?.backlogFields?.typeFields?.['Effort'] ?? null
}

/**
 * The backlog level of each type: 0 task, 1 requirement, 2 and higher the portfolio in the order of the ranks. Bugs have no backlog: they are the
 * types with mapped states and no level, and a setting of the team shows them with the requirements or with the tasks.
 */
export function mapBacklogLevels(backlog: WireBacklog | null): Map<string, number> {
  const levels = new Map<string, number>()
  if (backlog === null) return levels
  const portfolio = [...(backlog.portfolioBacklogs ?? [])].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
  const backlogs = [backlog.taskBacklog, backlog.requirementBacklog, ...portfolio]
  for (const [level, entry] of backlogs.entries()) {
    for (const { name } of entry?.workItemTypes ?? []) if (!levels.has(name)) levels.set(name, level)
  }
  const bugLevel = { asrequirements: 1, astasks: 0 }[backlog.bugsBehavior?.toLowerCase() ?? '']
  if (bugLevel === undefined) return levels
  const bugs = (backlog.workItemTypeMappedStates ?? []).map((mapped) => mapped.workItemTypeName)
  for (const name of bugs) if (!levels.has(name)) levels.set(name, bugLevel)
  return levels
}

/** The states of a type with their categories, from the type or else from the backlog. */
export function mapStates(type: WireType, backlog: WireBacklog | null): WorkItemType['states'] {
  const own = type.states ?? []
  if (own.length > 0) {
    return own.map(({ name, category, color }) => ({
      name,
      category: parseCategory(category),
      color: parseColor(color),
    }))
  }
  const mapped = backlog?.workItemTypeMappedStates?.find((entry) => entry.workItemTypeName === type.name)?.states ?? {}
  return Object.entries(mapped).map(([name, category]) => ({ name, category: parseCategory(category), color: null }))
}

/** Looks up a state's category by type and state. */
export function indexStateCategories(
  types: readonly WireType[],
  backlog: WireBacklog | null,
): (type: string, state: string) => StateCategory | null {
  const categoriesOf = new Map<string, Map<string, StateCategory | null>>()
  const mappedOnly = (backlog?.workItemTypeMappedStates ?? []).map((entry) => ({ name: entry.workItemTypeName }))
  for (const type of [...mappedOnly, ...types]) {
    const known = categoriesOf.get(type.name) ?? new Map()
    for (const { name, category } of mapStates(type, backlog)) known.set(name, category)
    categoriesOf.set(type.name, known)
  }
  return (type, state) => categoriesOf.get(type)?.get(state) ?? null
}

function parseCategory(text: string | null | undefined): StateCategory | null {
  const plain = text?.replace(/\s/g, '').toLowerCase()
  return categories.find((category) => category.toLowerCase() === plain) ?? null
}
