import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { CachedMetadata } from '../services/cached-metadata'
import { createPropertyField, createTypeField } from '../services/property-fields'
import { createPageShape, nodes, PAGE_INFO } from '../services/requests/graphql-pages'
import { collect } from '../services/requests/pages'
import { createWorkItemType } from '../services/work-item-type'
import type { ProcessField, TrackerProcess, WorkItemType } from '../tracker'
import { WireId } from './address'
import { fieldNames, findLevel, formatIteration, nameCustomField, STATES, toCategory } from './map-item'
import { type HasField, PAGE_SIZE, type ProjectClient } from './project-client'
import { ITERATION, WireIteration } from './wire-item'

const WireNamed = z.object({ id: z.string(), title: z.string() })
const WireStatus = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string().nullish(),
  color: z.string().nullish(),
})

const WireCustomField = z.object({
  id: WireId,
  name: z.string(),
  fieldType: z.string(),
  selectOptions: z.array(z.object({ id: z.string(), value: z.string() })).nullish(),
})
export type CustomField = z.output<typeof WireCustomField>

const WireType = z
  .object({
    id: z.string(),
    name: z.string(),
    widgetDefinitions: z
      .array(
        z.object({
          allowedStatuses: z.array(WireStatus).nullish(),
          customFieldValues: z.array(z.object({ customField: WireCustomField })).nullish(),
        }),
      )
      .nullish(),
  })
  .transform(({ id, name, widgetDefinitions }) => ({
    id,
    name,
    statuses: (widgetDefinitions ?? []).flatMap(({ allowedStatuses }) => allowedStatuses ?? []),
    customFields: (widgetDefinitions ?? []).flatMap(({ customFieldValues }) =>
      (customFieldValues ?? []).map(({ customField }) => customField),
    ),
  }))

/** A type of work items. */
export type ItemType = z.output<typeof WireType> & {
  /** The namespace in which its items are created: epics are in the group. */
  namespace: string
}

const WireMetadata = z.object({
  labels: createPageShape(WireNamed).nullish(),
  milestones: createPageShape(
    WireNamed.extend({ startDate: z.string().nullish(), dueDate: z.string().nullish() }),
  ).nullish(),
  iterations: nodes(WireIteration.extend({ id: z.string() })).nullish(),
  workItemTypes: nodes(WireType).nullish(),
  group: z.object({ fullPath: z.string(), workItemTypes: nodes(WireType).nullish() }).nullish(),
})

/** What GitLab knows about the project, besides its items. */
export interface Metadata {
  types: ItemType[]
  labels: { id: string; title: string }[]
  milestones: { id: string; title: string }[]
  /** Without iterations, a project divides its time by milestones. */
  iterations: { id: string; path: string }[]
  times: TrackerProcess['iterations']
  customFields: CustomField[]
  group: string | null
}

const KINDS: Readonly<Record<string, ProcessField['kind']>> = { NUMBER: 'number', MULTI_SELECT: 'list', DATE: 'date' }
const HEALTH = ['onTrack', 'needsAttention', 'atRisk']
const STATUS = '... on WorkItemWidgetDefinitionStatus { allowedStatuses { id name category color } }'
const CUSTOM_FIELDS =
  '... on WorkItemWidgetDefinitionCustomFields { customFieldValues { customField { id name fieldType selectOptions { id value } } } }'

/** The types, labels, milestones and iterations of the project. */
export class ProjectMetadata extends CachedMetadata<Metadata> {
  constructor(
    private readonly graphql: ProjectClient,
    now: () => number,
  ) {
    super(graphql.limits.processCacheMs, now)
  }

  async describeProcess(signal: AbortSignal): Promise<TrackerProcess> {
    const metadata = await this.get(signal)
    const fields = listFields(metadata)
    return {
      types: metadata.types.map((type) => describeType(type, fields)),
      areaPaths: [],
      iterations: metadata.times,
      fields,
    }
  }

  async listAllowedValues(referenceName: string, signal: AbortSignal): Promise<string[] | null> {
    if (referenceName === fieldNames.healthStatus) return HEALTH
    const field = (await this.get(signal)).customFields.find(({ id }) => nameCustomField(id) === referenceName)
    return field?.selectOptions?.map(({ value }) => value) ?? null
  }

  async listFields(signal: AbortSignal): Promise<ProcessField[]> {
    return listFields(await this.get(signal))
  }

  async read(signal: AbortSignal): Promise<Metadata> {
    const first = await this.graphql.queryProject({ select: selectMetadata }, WireMetadata, signal)
    const { entries: labels, next } = first.labels ?? { entries: [], next: null }
    const milestones = first.milestones?.entries ?? []
    const readRest = async (name: string, args: string, all: { id: string; title: string }[]) => {
      const pages = this.graphql.readConnection({ name, args, fields: () => 'id title', shape: WireNamed }, signal)
      all.splice(0, all.length, ...(await collect(pages)))
    }
    if (next !== null) await readRest('labels', LABELS, labels)
    const iterations = (first.iterations?.nodes ?? []).map((one) => ({ ...one, path: formatIteration(one) }))
    const times = iterations.length > 0 ? iterations : milestones.map((one) => ({ ...one, path: one.title }))
    const { path } = this.graphql.address
    const ofProject = (first.workItemTypes?.nodes ?? []).map((type) => ({ ...type, namespace: path }))
    const { fullPath: group = null } = first.group ?? {}
    const ofGroup = (first.group?.workItemTypes?.nodes ?? [])
      .filter(
        ({ name }) => equalsIgnoringCase(name, 'Epic') && !ofProject.some((one) => equalsIgnoringCase(one.name, name)),
      )
      .map((type) => ({ ...type, namespace: group! }))
    const types = [...ofGroup, ...ofProject]
    const customFields = new Map(types.flatMap((type) => type.customFields.map((field) => [field.id, field])))
    const allMilestones = milestones.map(({ id, title }) => ({ id, title }))
    if (first.milestones?.next != null) await readRest('milestones', MILESTONES, allMilestones)
    return {
      types,
      labels,
      milestones: allMilestones,
      iterations,
      times: times.map(({ path, startDate, dueDate }) => {
        return { path, startDate: toTime(startDate), finishDate: toTime(dueDate) }
      }),
      customFields: [...customFields.values()],
      group,
    }
  }
}

const toTime = (date: string | null | undefined) => (date ? `${date.slice(0, 10)}T00:00:00.000Z` : null)

const LABELS = 'includeAncestorGroups: true'
const MILESTONES = 'includeAncestors: true, state: active'

function selectMetadata(has: HasField): string {
  const widgets = [
    ...(has('WorkItemWidgetDefinitionStatus') && has('allowedStatuses') ? [STATUS] : []),
    ...(has('WorkItemWidgetDefinitionCustomFields') && has('customFieldValues') ? [CUSTOM_FIELDS] : []),
  ]
  const types = `workItemTypes { nodes { id name ${widgets.length > 0 ? `widgetDefinitions { ${widgets.join(' ')} }` : ''} } }`
  const iterations = `iterations(first: ${PAGE_SIZE}, includeAncestors: true) { nodes { id ${ITERATION} } }`
  return [
    `labels(first: ${PAGE_SIZE}, ${LABELS}) { nodes { id title } ${PAGE_INFO} }`,
    `milestones(first: ${PAGE_SIZE}, ${MILESTONES}) { nodes { id title startDate dueDate } ${PAGE_INFO} }`,
    ...(has('iterations') ? [iterations] : []),
    types,
    `group { fullPath ${types} }`,
  ].join(' ')
}

function describeType(type: ItemType, fields: readonly ProcessField[]): WorkItemType {
  const statuses = type.statuses.map(({ name, category, color }) => {
    return { name, category: toCategory(category), color: color?.replace(/^#/, '') ?? null }
  })
  const own = new Set(type.customFields.map(({ id }) => nameCustomField(id)))
  const names = fields.map(({ referenceName }) => referenceName)
  const { title, description } = fieldNames
  return createWorkItemType(
    { name: type.name, level: findLevel(type.name), states: statuses.length > 0 ? statuses : [...STATES] },
    {
      title,
      description,
      fields: names.filter((name) => !name.startsWith(nameCustomField(0).slice(0, -1)) || own.has(name)),
    },
  )
}

function listFields({ iterations, customFields }: Metadata): ProcessField[] {
  const field = (referenceName: string, name: string, kind: ProcessField['kind']): ProcessField => {
    return { referenceName, name, kind, readOnly: false, property: null }
  }
  const hasIterations = iterations.length > 0
  return [
    createPropertyField(fieldNames.title, 'title'),
    createPropertyField(fieldNames.state, 'state', { name: 'Status' }),
    createPropertyField(fieldNames.assignee, 'assignedTo'),
    createPropertyField(fieldNames.labels, 'tags'),
    createPropertyField(fieldNames.weight, 'storyPoints', { name: 'Weight', kind: 'integer' }),
    createPropertyField(fieldNames.description, 'description', { isMarkdown: true }),
    createPropertyField(hasIterations ? fieldNames.iteration : fieldNames.milestone, 'iterationPath', {
      name: hasIterations ? 'Iteration' : 'Milestone',
    }),
    ...(hasIterations ? [field(fieldNames.milestone, 'Milestone', 'string')] : []),
    field(fieldNames.startDate, 'Start date', 'date'),
    field(fieldNames.dueDate, 'Due date', 'date'),
    field(fieldNames.healthStatus, 'Health status', 'string'),
    ...customFields.map(({ id, name, fieldType }) => field(nameCustomField(id), name, KINDS[fieldType] ?? 'string')),
    createTypeField(fieldNames.type),
  ]
}
