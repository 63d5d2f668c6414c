import * as z from 'zod'
import { WireInstant } from '../services/instants'
import { nodes } from '../services/requests/graphql-pages'
import { WireId } from './address'
import { type HasField, joinWidgets } from './project-client'

export const WireUser = z.object({ username: z.string(), name: z.string().nullish() })
export type WireUser = z.output<typeof WireUser>

export const WireIteration = z.object({
  title: z.string().nullish(),
  startDate: z.string().nullish(),
  dueDate: z.string().nullish(),
  iterationCadence: z.object({ title: z.string() }).nullish(),
})
export type WireIteration = z.output<typeof WireIteration>

const WireCustomValue = z.object({
  customField: z.object({ id: WireId, name: z.string() }),
  text: z.string().nullish(),
  number: z.number().nullish(),
  date: z.string().nullish(),
  selectedOptions: z.array(z.object({ value: z.string() })).nullish(),
})

const WireLink = z.object({ linkType: z.string(), workItem: z.object({ id: WireId }).nullable() })

/** The parts of an item that can change without a new time of update. */
const WireLinks = z.object({
  parent: z.object({ id: WireId }).nullish(),
  linkedItems: nodes(WireLink).nullish(),
})

export const WireShape = z.object({
  id: WireId,
  updatedAt: WireInstant,
  lockVersion: z.int().nullish(),
  namespace: z.object({ fullPath: z.string() }),
  widgets: joinWidgets.pipe(WireLinks),
})
export type WireShape = z.output<typeof WireShape>

export const WireItem = WireShape.extend({
  iid: z.string(),
  title: z.string(),
  state: z.enum(['OPEN', 'CLOSED']),
  createdAt: WireInstant,
  closedAt: WireInstant.nullish(),
  webUrl: z.string().nullish(),
  workItemType: z.object({ name: z.string() }),
  widgets: joinWidgets.pipe(
    WireLinks.extend({
      description: z.string().nullish(),
      assignees: nodes(WireUser).nullish(),
      labels: nodes(z.object({ title: z.string() })).nullish(),
      milestone: z.object({ title: z.string() }).nullish(),
      iteration: WireIteration.nullish(),
      weight: z.number().nullish(),
      status: z.object({ name: z.string(), category: z.string().nullish() }).nullish(),
      startDate: z.string().nullish(),
      dueDate: z.string().nullish(),
      healthStatus: z.string().nullish(),
      customFieldValues: z.array(WireCustomValue).nullish(),
    }),
  ),
})
export type WireItem = z.output<typeof WireItem>

export const ITERATION = 'title startDate dueDate iterationCadence { title }'

/** The widgets of an item, by the names of their types after `WorkItemWidget`. A server may not have all of them. */
const WIDGETS = {
  Description: 'description',
  Assignees: 'assignees { nodes { username name } }',
  Labels: 'labels { nodes { title } }',
  Milestone: 'milestone { title }',
  StartAndDueDate: 'startDate dueDate',
  Iteration: `iteration { ${ITERATION} }`,
  Weight: 'weight',
  HealthStatus: 'healthStatus',
  Status: 'status { name category }',
  CustomFields: `customFieldValues { customField { id name } ... on WorkItemTextFieldValue { text: value }
    ... on WorkItemNumberFieldValue { number: value } ... on WorkItemDateFieldValue { date: value }
    ... on WorkItemSelectFieldValue { selectedOptions { value } } }`,
} as const

const LINKS = {
  Hierarchy: 'parent { id }',
  LinkedItems: 'linkedItems(first: 50) { nodes { linkType workItem { id } } }',
} as const

const select = (widgets: Readonly<Record<string, string>>, has: HasField) =>
  Object.entries(widgets)
    .filter(([name]) => has(`WorkItemWidget${name}`))
    .map(([name, fields]) => `... on WorkItemWidget${name} { ${fields} }`)
    .join(' ')

const VERSION = 'id updatedAt lockVersion namespace { fullPath }'

/** The fields of WireShape. */
export function selectShape(has: HasField): string {
  return `${VERSION} widgets { ${select(LINKS, has)} }`
}

/** The fields of WireItem. */
export function selectItem(has: HasField): string {
  const fields = 'iid title state createdAt closedAt webUrl workItemType { name }'
  return `${VERSION} ${fields} widgets { ${select({ ...LINKS, ...WIDGETS }, has)} }`
}
