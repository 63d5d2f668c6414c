import { buildItem } from '../services/build-item'
import { toInstant } from '../services/instants'
import { createShape } from '../services/item-shape'
import type { TypeLabels } from '../services/type-labels'
import { UNTYPED } from '../services/type-labels'
import { findTypeLevel } from '../services/type-level'
import type { ItemShape, Person, StateCategory, TrackerItem } from '../tracker'
import { parseIdentifier } from './address'
import type { Relation, WireIssue, WireRelations, WireShape, WireUser } from './wire-issue'

/** The names of the fields, in the way of the API. */
export const fieldNames = {
  title: 'title',
  description: 'description',
  type: 'type',
  state: 'state',
  assignee: 'assignee',
  labels: 'labels',
  cycle: 'cycle',
  estimate: 'estimate',
  priority: 'priority',
  project: 'project',
  dueDate: 'dueDate',
} as const

export interface IssueMapping {
  /** The key of the team. */
  team: string
  typeLabels: TypeLabels
}

export function mapIssue(wire: WireIssue, { team, typeLabels }: IssueMapping): TrackerItem {
  const key = `${team}-${wire.number}`
  const type = wire.labels.map((label) => typeLabels.findType(label)).find((found) => found !== null) ?? UNTYPED
  const tags = wire.labels.filter((label) => typeLabels.findType(label) === null)
  const text = wire.description ?? ''
  const assignedTo = wire.assignee ? toPerson(wire.assignee) : null
  const iterationPath = wire.cycle ? nameCycle(wire.cycle) : ''
  const priority = wire.priority === 0 ? null : wire.priority
  const idsOf = (kind: Relation['kind']) => listIds(wire.links.filter((link) => link.kind === kind))
  const values = {
    [fieldNames.title]: wire.title,
    [fieldNames.type]: type,
    [fieldNames.state]: wire.state.name,
    [fieldNames.assignee]: assignedTo,
    [fieldNames.labels]: tags.join('; '),
    [fieldNames.cycle]: iterationPath,
    [fieldNames.estimate]: wire.estimate,
    [fieldNames.priority]: priority,
    [fieldNames.project]: wire.project?.name,
    [fieldNames.dueDate]: wire.dueDate,
    createdAt: toInstant(wire.createdAt),
    updatedAt: toInstant(wire.updatedAt),
    completedAt: wire.completedAt && toInstant(wire.completedAt),
  }
  const item = {
    ...mapShape(wire, team),
    id: wire.number,
    key,
    type,
    level: findTypeLevel(type),
    title: wire.title,
    state: wire.state.name,
    stateCategory: toCategory(wire.state.type),
    assignedTo,
    iterationPath,
    tags,
    storyPoints: wire.estimate ?? null,
    priority,
    parentId: findParent(wire, team),
    predecessorIds: idsOf('predecessor'),
    successorIds: idsOf('successor'),
    relatedIds: idsOf('related'),
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    url: shortenUrl(wire.url, key),
  }
  return buildItem(item, { text, field: fieldNames.description, values })
}

/**
 * Linear counts no revisions, so the millisecond of the last update is the revision. The digest covers parent and relations, because it is not
 * documented whether a change of them is an update of the issue.
 */
export function mapShape(wire: WireShape, team: string): ItemShape {
  const links = wire.links.map(({ kind, number }) => `${kind} ${number}`).sort()
  return createShape(Date.parse(wire.updatedAt), [findParent(wire, team), links])
}

/** The relations to issues of the team. The numbers of other teams mean other issues. A relation that Linear only suggests is none. */
export function listRelations(
  { relations, inverseRelations }: Omit<WireRelations, 'number'>,
  team: string,
): Relation[] {
  const own = relations.nodes.map(({ id, type, relatedIssue }) => ({
    id,
    type,
    other: relatedIssue,
    blocks: 'successor',
  }))
  const inverse = inverseRelations.nodes.map(({ id, type, issue }) => ({
    id,
    type,
    other: issue,
    blocks: 'predecessor',
  }))
  return [...own, ...inverse].flatMap(({ id, type, other, blocks }) => {
    const found = parseIdentifier(other.identifier)
    if (found?.key !== team || !['blocks', 'related', 'duplicate'].includes(type)) return []
    const kind = (type === 'blocks' ? blocks : 'related') as Relation['kind']
    return [{ id, kind, number: found.number }]
  })
}

/** The number of the parent, if it is of the team. */
export function findParent({ parent }: Pick<WireShape, 'parent'>, team: string): number | null {
  const found = parent ? parseIdentifier(parent.identifier) : null
  return found?.key === team ? found.number : null
}

function listIds(links: readonly Relation[]): number[] {
  return [...new Set(links.map(({ number }) => number))].sort((a, b) => a - b)
}

/** A cycle without a name has a number alone. */
export function nameCycle({ name, number }: { name?: string | null | undefined; number: number }): string {
  return name?.trim() || `Cycle ${number}`
}

const CATEGORIES: ReadonlyMap<string, StateCategory> = new Map([
  ['triage', 'Proposed'],
  ['backlog', 'Proposed'],
  ['unstarted', 'Proposed'],
  ['started', 'InProgress'],
  ['completed', 'Completed'],
  ['canceled', 'Removed'],
  ['duplicate', 'Removed'],
])

export function toCategory(type: string): StateCategory | null {
  return CATEGORIES.get(type) ?? null
}

export function toPerson({ name, displayName, email }: WireUser): Person {
  return { displayName: name.trim() || displayName, uniqueName: email || displayName }
}

/** Without the words of the title after the identifier, which change with the title. */
function shortenUrl(url: string, key: string): string {
  const at = url.indexOf(`/${key}/`)
  return at === -1 ? url : url.slice(0, at + key.length + 1)
}
