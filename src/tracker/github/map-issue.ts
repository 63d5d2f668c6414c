import { buildItem } from '../services/build-item'
import { toInstant } from '../services/instants'
import { createShape } from '../services/item-shape'
import { type TypeLabels, UNTYPED } from '../services/type-labels'
import { findTypeLevel } from '../services/type-level'
import type { ItemShape, Person, TrackerItem } from '../tracker'
import { type BoardItem, findBoardItem, readNumber, readText } from './board/board-item'
import { readState } from './board/issue-states'
import { parsePointsLabel } from './labels'
import { findBodyFiles } from './parts/body-files'
import type { WireIssue, WireReference, WireShape, WireUser } from './wire-issue'

/** What mapping an issue needs. */
export interface IssueMapping {
  owner: string
  /** The name of the repository. */
  name: string
  typeLabels: TypeLabels
  /** The number of the project board; null for none. */
  board: number | null
  /** The address of the pages of GitHub. */
  webBase: string
}

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
  const board = wire.board ?? null
  const onBoard = findOnBoard(wire)
  const { name: state, category } = readState(wire, onBoard, board)
  const storyPoints =
    readNumber(onBoard, board?.points ?? null) ?? labels.map(parsePointsLabel).find((value) => value !== null) ?? null
  const tags = listTags(labels, mapping.typeLabels)
  const iterationPath = (board === null ? wire.milestone?.title : readText(onBoard, board.iteration)) ?? ''
  const [assignee] = wire.assignees.nodes
  const assignedTo = assignee ? toPerson(assignee) : null
  const item = {
    ...mapShape(wire),
    id: wire.number,
    key: `${mapping.owner}/${mapping.name}#${wire.number}`,
    type,
    level: findTypeLevel(type),
    title: wire.title,
    state,
    stateCategory: category,
    assignedTo,
    iterationPath,
    tags,
    storyPoints,
    parentId: wire.parent ? (listNumbers([wire.parent], wire)[0] ?? null) : null,
    predecessorIds: listNumbers(wire.blockedBy?.nodes ?? [], wire),
    successorIds: listNumbers(wire.blocking?.nodes ?? [], wire),
    createdAt: toInstant(wire.createdAt),
    changedAt: toInstant(wire.updatedAt),
    attachments: findBodyFiles(body, mapping.webBase).map((file) => ({ name: file.name, size: null })),
    url: wire.url,
  }
  const values = {
    [fieldNames.title]: wire.title,
    [fieldNames.type]: type,
    [fieldNames.state]: state,
    [fieldNames.assignee]: assignedTo,
    [fieldNames.labels]: tags.join('; '),
    [fieldNames.milestone]: iterationPath,
    [fieldNames.points]: storyPoints,
    createdAt: item.createdAt,
    updatedAt: item.changedAt,
    closedAt: wire.closedAt && toInstant(wire.closedAt),
    ...Object.fromEntries((board?.fields ?? []).flatMap(({ id }) => readEntry(id, onBoard?.values))),
    ...Object.fromEntries(wire.issueFieldValues ?? []),
  }
  return buildItem(item, { text: body, field: fieldNames.body, values })
}

function readEntry<Value>(key: string, values: ReadonlyMap<string, Value> | undefined): [string, Value][] {
  const value = values?.get(key)
  return value === undefined ? [] : [[key, value]]
}

/** The issue on the board from which its values are read. */
export function findOnBoard({ board, projectItems }: WireShape): BoardItem | null {
  return board && projectItems ? findBoardItem(projectItems.entries, board) : null
}

/** GitHub counts no revisions, so the second of the last update is the revision. Links and values on a board change without an update. */
export function mapShape(wire: WireShape): ItemShape {
  const { board } = wire
  const onBoard = findOnBoard(wire)
  // The title is also a text on the board, and its change is an update.
  const own = board
    ? [board.points, board.iteration, board.status, ...board.fields].flatMap((field) => field ?? [])
    : []
  const parts = [
    wire.parent ? listNumbers([wire.parent], wire) : [],
    listNumbers(wire.blockedBy?.nodes ?? [], wire),
    listNumbers(wire.blocking?.nodes ?? [], wire),
    onBoard && [
      onBoard.id,
      onBoard.isArchived,
      own.flatMap(({ id }) => readEntry(id, onBoard.values)).sort(compareKeys),
    ],
    [...(wire.issueFieldValues ?? [])].sort(compareKeys),
  ]
  return createShape(Math.floor(Date.parse(wire.updatedAt) / 1000), parts)
}

function compareKeys([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The numbers of the issues of the same repository, in ascending order. Numbers of other repositories mean other issues. */
export function listNumbers(
  references: readonly WireReference[],
  { repository }: Pick<WireReference, 'repository'>,
): number[] {
  const own = references.filter((reference) => reference.repository.id === repository.id)
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

export function toPerson({ login, name }: WireUser): Person {
  return { displayName: name?.trim() || login, uniqueName: login }
}
