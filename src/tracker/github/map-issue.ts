import { toInstant } from '../services/instants'
import { createShape } from '../services/item-shape'
import { findTypeLevel } from '../services/type-level'
import type { ItemShape, Person, StateCategory, TrackerItem } from '../tracker'
import { findBoardItem } from './board-item'
import { parsePointsLabel, type TypeLabels, UNTYPED } from './labels'
import type { WireIssue, WireReference, WireShape, WireUser } from './wire-issue'

/** What mapping an issue needs. */
export interface IssueMapping {
  owner: string
  /** The name of the repository. */
  name: string
  typeLabels: TypeLabels
  /** The number of the project board; null for none. */
  board: number | null
}

export const STATES: readonly { name: string; category: StateCategory; color: string }[] = [
  { name: 'Open', category: 'Proposed', color: '1f883d' },
  { name: 'Closed', category: 'Completed', color: '8250df' },
  { name: 'Closed as not planned', category: 'Removed', color: '59636e' },
]

/** The names of the fields, in the way of the API. */
export const fieldNames = {
  title: 'title',
  body: 'body',
  type: 'type',
  state: 'state',
  assignee: 'assignee',
  labels: 'labels',
  milestone: 'milestone',
  points: 'points',
} as const

export function mapIssue(wire: WireIssue, mapping: IssueMapping): TrackerItem {
  // GitHub stores line ends as browsers send them.
  const body = wire.body.replace(/\r\n?/g, '\n')
  const labels = (wire.labels?.nodes ?? []).map(({ name }) => name)
  const type = findType(wire, mapping.typeLabels)
  const { name: state, category } = findState(wire)
  const onBoard = findBoardItem(wire.projectItems?.nodes, mapping)
  const storyPoints = onBoard?.points ?? labels.map(parsePointsLabel).find((value) => value !== null) ?? null
  const tags = listTags(labels, mapping.typeLabels)
  const iterationPath = (mapping.board === null ? wire.milestone?.title : onBoard?.iteration) ?? ''
  const [assignee] = wire.assignees.nodes
  const assignedTo = assignee ? toPerson(assignee) : null
  return {
    ...mapShape(wire, mapping),
    id: wire.number,
    key: `${mapping.owner}/${mapping.name}#${wire.number}`,
    type,
    level: findTypeLevel(type),
    title: wire.title,
    state,
    stateCategory: category,
    assignedTo,
    areaPath: '',
    iterationPath,
    tags,
    storyPoints,
    priority: null,
    parentId: wire.parent ? (listNumbers([wire.parent], mapping)[0] ?? null) : null,
    predecessorIds: listNumbers(wire.blockedBy?.nodes ?? [], mapping),
    successorIds: listNumbers(wire.blocking?.nodes ?? [], mapping),
    relatedIds: [],
    blockedField: false,
    description: body.trim() === '' ? null : { format: 'markdown', text: body },
    acceptanceCriteria: null,
    markdownFields: [fieldNames.body],
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    attachments: [],
    url: wire.url,
    fields: {
      [fieldNames.title]: wire.title,
      [fieldNames.type]: type,
      [fieldNames.state]: state,
      ...(assignedTo ? { [fieldNames.assignee]: assignedTo } : {}),
      ...(tags.length > 0 ? { [fieldNames.labels]: tags.join('; ') } : {}),
      ...(iterationPath === '' ? {} : { [fieldNames.milestone]: iterationPath }),
      ...(storyPoints === null ? {} : { [fieldNames.points]: storyPoints }),
      ...(body === '' ? {} : { [fieldNames.body]: body }),
      createdAt: toInstant(wire.createdAt),
      updatedAt: toInstant(wire.updatedAt),
      ...(wire.closedAt ? { closedAt: toInstant(wire.closedAt) } : {}),
    },
  }
}

/** GitHub counts no revisions, so the second of the last update is the revision. Links and values on a board change without an update. */
export function mapShape(wire: WireShape, mapping: IssueMapping): ItemShape {
  const parts = [
    wire.parent ? listNumbers([wire.parent], mapping) : [],
    listNumbers(wire.blockedBy?.nodes ?? [], mapping),
    listNumbers(wire.blocking?.nodes ?? [], mapping),
    findBoardItem(wire.projectItems?.nodes, mapping),
  ]
  return createShape(Math.floor(Date.parse(wire.updatedAt) / 1000), parts)
}

/** The numbers of the issues of this repository, in ascending order. Numbers of other repositories mean other issues. */
export function listNumbers(references: readonly WireReference[], { owner, name }: IssueMapping): number[] {
  const repository = `${owner}/${name}`.toLowerCase()
  const own = references.filter((reference) => reference.repository.nameWithOwner.toLowerCase() === repository)
  return [...new Set(own.map(({ number }) => number))].sort((a, b) => a - b)
}

/** Labels that are neither a type nor points. */
export function listTags(labels: readonly string[], typeLabels: TypeLabels): string[] {
  return labels.filter((label) => typeLabels.findType(label) === null && parsePointsLabel(label) === null)
}

function findType({ issueType, labels }: WireIssue, typeLabels: TypeLabels): string {
  const ofLabels = (labels?.nodes ?? []).flatMap(({ name }) => typeLabels.findType(name) ?? [])
  return issueType?.name ?? ofLabels[0] ?? UNTYPED
}

function findState({ state, stateReason }: WireIssue): (typeof STATES)[number] {
  if (state === 'OPEN') return STATES[0]!
  return stateReason === 'NOT_PLANNED' || stateReason === 'DUPLICATE' ? STATES[2]! : STATES[1]!
}

export function toPerson({ login, name }: WireUser): Person {
  return { displayName: name?.trim() || login, uniqueName: login }
}
