import { buildItem } from '../services/build-item'
import { toInstant } from '../services/instants'
import { createShape } from '../services/item-shape'
import type { ItemShape, Person, StateCategory, TrackerItem } from '../tracker'
import { formatKey } from './address'
import { unescapeQuickActions } from './quick-actions'
import type { WireItem, WireIteration, WireShape, WireUser } from './wire-item'

/** The names of the fields, in the way of the API. */
export const fieldNames = {
  title: 'title',
  description: 'description',
  type: 'type',
  state: 'state',
  assignee: 'assignee',
  labels: 'labels',
  milestone: 'milestone',
  iteration: 'iteration',
  weight: 'weight',
  startDate: 'startDate',
  dueDate: 'dueDate',
  healthStatus: 'healthStatus',
} as const

/** The states of a server, or of a type, without statuses. */
export const STATES: readonly { name: string; category: StateCategory; color: string | null }[] = [
  { name: 'Open', category: 'Proposed', color: '108548' },
  { name: 'Closed', category: 'Completed', color: '1f75cb' },
]

const CATEGORIES: Readonly<Record<string, StateCategory>> = {
  TRIAGE: 'Proposed',
  TO_DO: 'Proposed',
  IN_PROGRESS: 'InProgress',
  DONE: 'Completed',
  CANCELED: 'Removed',
}

/** The category of a status in the words of the port. */
export function toCategory(category: string | null | undefined): StateCategory | null {
  return CATEGORIES[(category ?? '').toUpperCase()] ?? null
}

/** The levels of types by their names in lower case, as the types may have each other as children. All others are requirements. */
const LEVELS: Readonly<Record<string, number>> = { epic: 2, objective: 2, task: 0 }

export function findLevel(type: string): number {
  return LEVELS[type.toLowerCase()] ?? 1
}

/** `Cadence/Sprint 4`. Iterations that a cadence creates have dates and no title. */
export function formatIteration({ title, startDate, dueDate, iterationCadence }: WireIteration): string {
  const name =
    title?.trim() ||
    [startDate, dueDate]
      .map((time) => time?.slice(0, 10))
      .filter(Boolean)
      .join(' to ')
  return [iterationCadence?.title, name].filter(Boolean).join('/')
}

/** The reference name of a custom field. */
export function nameCustomField(id: number): string {
  return `customField/${id}`
}

export function mapItem(wire: WireItem): TrackerItem {
  const { widgets } = wire
  const type = wire.workItemType.name
  const text = unescapeQuickActions(widgets.description ?? '')
  const closed = STATES[wire.state === 'OPEN' ? 0 : 1]!
  const state = widgets.status?.name ?? closed.name
  const [assignee] = widgets.assignees?.nodes ?? []
  const assignedTo = assignee ? toPerson(assignee) : null
  const tags = (widgets.labels?.nodes ?? []).map(({ title }) => title)
  const milestone = widgets.milestone?.title ?? ''
  const iteration = widgets.iteration ? formatIteration(widgets.iteration) : ''
  const storyPoints = widgets.weight ?? null
  const ends = (kind: string) => listLinked(wire, kind)
  const values: Record<string, unknown> = {
    [fieldNames.title]: wire.title,
    [fieldNames.type]: type,
    [fieldNames.state]: state,
    [fieldNames.assignee]: assignedTo,
    [fieldNames.labels]: tags.join('; '),
    [fieldNames.milestone]: milestone,
    [fieldNames.iteration]: iteration,
    [fieldNames.weight]: storyPoints,
    [fieldNames.startDate]: widgets.startDate,
    [fieldNames.dueDate]: widgets.dueDate,
    [fieldNames.healthStatus]: widgets.healthStatus,
    createdAt: toInstant(wire.createdAt),
    updatedAt: toInstant(wire.updatedAt),
    closedAt: wire.closedAt && toInstant(wire.closedAt),
  }
  for (const one of widgets.customFieldValues ?? [])
    values[nameCustomField(one.customField.id)] =
      one.selectedOptions?.map(({ value }) => value).join('; ') ?? one.text ?? one.number ?? one.date
  const item = {
    ...mapShape(wire),
    id: wire.id,
    key: formatKey({ namespace: wire.namespace.fullPath, iid: wire.iid }, type),
    type,
    level: findLevel(type),
    title: wire.title,
    state,
    stateCategory: toCategory(widgets.status?.category) ?? closed.category,
    assignedTo,
    iterationPath: iteration || milestone,
    tags,
    storyPoints,
    parentId: widgets.parent?.id ?? null,
    predecessorIds: ends('is_blocked_by'),
    successorIds: ends('blocks'),
    relatedIds: ends('relates_to'),
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    url: wire.webUrl ?? '',
  }
  return buildItem(item, { text, field: fieldNames.description, values })
}

/** GitLab counts no revisions, so the second of the last update is the revision. Links change without an update. */
export function mapShape(wire: WireShape): ItemShape {
  const links = ['is_blocked_by', 'blocks', 'relates_to'].map((kind) => listLinked(wire, kind))
  return createShape(Math.floor(Date.parse(wire.updatedAt) / 1000), [
    wire.lockVersion ?? 0,
    wire.widgets.parent?.id ?? null,
    ...links,
  ])
}

/** The IDs at the other ends of links of a type, in ascending order. */
function listLinked({ widgets }: WireShape, kind: string): number[] {
  const ids = (widgets.linkedItems?.nodes ?? []).flatMap(({ linkType, workItem }) =>
    linkType.toLowerCase() === kind && workItem ? [workItem.id] : [],
  )
  return [...new Set(ids)].sort((a, b) => a - b)
}

export function toPerson({ username, name }: WireUser): Person {
  return { displayName: name?.trim() || username, uniqueName: username }
}
