import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { UNTYPED } from '../services/type-labels'
import { hasTags, splitTags } from '../services/update-after-reading'
import type { TagChanges } from '../tracker'
import { parseValue } from './board/custom-fields'
import { planState, type StateChange } from './board/issue-states'
import type { Board, BoardField } from './board/project-board'
import type { IssueParts } from './issue-reader'
import { parsePointsLabel } from './labels'
import { fieldNames, type IssueMapping, listTags } from './map-issue'
import type { RepositoryClient } from './repository-client'
import { listCustomFields, type Metadata, type RepositoryMetadata } from './repository-metadata'

type Values = Readonly<Record<string, string | number | boolean | null>>

/** A value of an issue on the board; null clears it. */
export interface BoardValue {
  projectId: string
  fieldId: string
  value: Record<string, string | number | readonly string[]> | null
}

export interface ResolvedInput {
  /** For the mutation of the issue. */
  input: Record<string, unknown>
  state: StateChange | null
  onBoard: BoardValue[]
  /** The values of fields of the organization. */
  issueFields: Record<string, unknown>[]
  /** The IDs of labels that are added and removed, while others stay. */
  labels: { add: string[]; remove: string[] }
}

export interface RequestedValues {
  fields: Values
  tags?: TagChanges | undefined
  /** The labels of the issue, which include its type and its points. */
  labels: readonly { id: string; name: string }[]
  /** The type of a new issue. */
  type?: string
}

/** Reads again, once in a call, what the repository has, because something may have been created since. */
export class Renewal {
  #isUsed = false

  constructor(private readonly metadata: RepositoryMetadata) {}

  async renew(known: Metadata, signal: AbortSignal): Promise<Metadata | null> {
    if (this.#isUsed) return null
    this.#isUsed = true
    return this.metadata.renew(known, signal)
  }
}

/** Finds the IDs of people, labels, milestones and options. Otherwise says why GitHub could not take the values. */
export async function resolveInput(
  requested: RequestedValues,
  parts: IssueParts,
  { signal, renewal }: { signal: AbortSignal; renewal: Renewal },
): Promise<ResolvedInput | { problem: string }> {
  const known = await parts.metadata.get(signal)
  const assignee = await resolveAssignee(requested.fields, parts.graphql, signal)
  const first = resolveWith(known, requested, parts)
  if (first.problems.length > 0) {
    const renewed = await renewal.renew(known, signal)
    const again = renewed === null ? first : resolveWith(renewed, requested, parts)
    first.problems = again.problems
    first.resolved = again.resolved
  }
  const problems = [...first.problems, ...(assignee.problem === null ? [] : [assignee.problem])]
  if (problems.length > 0) return { problem: problems.join(' ') }
  return { ...first.resolved, input: { ...first.resolved.input, ...assignee.input } }
}

function resolveWith(
  metadata: Metadata,
  { fields, tags, labels, type }: RequestedValues,
  parts: IssueParts,
): { resolved: ResolvedInput; problems: string[] } {
  const { board } = metadata
  const problems: string[] = []
  const input: Record<string, unknown> = {}
  const has = (name: string) => name in fields
  if (has(fieldNames.title)) input['title'] = String(fields[fieldNames.title] ?? '')
  if (has(fieldNames.body)) input['body'] = String(fields[fieldNames.body] ?? '')
  const state = has(fieldNames.state) ? planState(fields[fieldNames.state], board) : null
  if (has(fieldNames.state) && state === null) problems.push(`"${fields[fieldNames.state]}" is no state of an issue.`)
  if (has(fieldNames.milestone) && board === null) {
    const title = fields[fieldNames.milestone] ?? null
    const found = metadata.milestones.find((one) => equalsIgnoringCase(one.title, String(title)))
    if (title !== null && !found) problems.push(`The repository has no milestone "${title}".`)
    else input['milestoneId'] = found?.id ?? null
  }
  const onBoard = resolveBoardValues(fields, state, { board, problems })
  const issueFields = resolveCustomFields(fields, metadata, { onBoard, problems })
  const changed = resolveLabels({ fields, tags, labels, type }, metadata, { parts, input, problems })
  return { resolved: { input, state, onBoard, issueFields, labels: changed }, problems }
}

/** The points, the iteration and the status of an issue as values of the board. */
function resolveBoardValues(
  { [fieldNames.points]: points, [fieldNames.milestone]: title }: Values,
  state: StateChange | null,
  { board, problems }: { board: Board | null; problems: string[] },
): BoardValue[] {
  if (board === null) return []
  const values: BoardValue[] = []
  const add = (field: BoardField, value: BoardValue['value']) =>
    values.push({ projectId: board.id, fieldId: field.id, value })
  if (points !== undefined && board.points !== null)
    add(board.points, points === null ? null : { number: Number(points) })
  if (board.status !== null && state?.optionId !== undefined)
    add(board.status, state.optionId === null ? null : { singleSelectOptionId: state.optionId })
  if (title === undefined) return values
  const found = board.iterations.find((one) => equalsIgnoringCase(one.title, String(title)))
  if (board.iteration === null) problems.push('The project board has no iteration field.')
  else if (title !== null && !found) problems.push(`The project board has no iteration "${title}".`)
  else add(board.iteration, found ? { iterationId: found.id } : null)
  return values
}

/** The names of the values in the inputs of GitHub, by the kinds of fields. */
const ON_BOARD = {
  number: 'number',
  text: 'text',
  date: 'date',
  option: 'singleSelectOptionId',
  options: 'multiSelectOptionIds',
  iteration: 'iterationId',
} as const
const ON_ISSUE = {
  number: 'numberValue',
  text: 'textValue',
  date: 'dateValue',
  option: 'singleSelectOptionId',
  options: 'multiSelectOptionIds',
  iteration: 'textValue',
} as const

/** Adds the values of other fields of the board to `onBoard`, and returns those of fields of the organization. */
function resolveCustomFields(
  values: Values,
  metadata: Metadata,
  { onBoard, problems }: { onBoard: BoardValue[]; problems: string[] },
): Record<string, unknown>[] {
  const custom = listCustomFields(metadata)
  const ofProperties = new Set<string>(Object.values(fieldNames))
  return Object.entries(values).flatMap(([name, given]) => {
    if (ofProperties.has(name)) return []
    const field = custom.find(({ id }) => id === name)
    const parsed = field ? parseValue(field, given) : { problem: `The issues have no field "${name}".` }
    if ('problem' in parsed) {
      problems.push(parsed.problem)
      return []
    }
    const { value } = parsed
    const fieldId = field!.id
    if (metadata.issueFields.includes(field!))
      return [{ fieldId, ...(value === null ? { delete: true } : { [ON_ISSUE[value.kind]]: value.text }) }]
    onBoard.push({ projectId: metadata.board!.id, fieldId, value: value && { [ON_BOARD[value.kind]]: value.text } })
    return []
  })
}

/**
 * Puts the labels that the issue will have into the input, where its tags, points or type are set. Single tags are added and removed on their
 * own, so that labels stay that others change at the same time.
 */
function resolveLabels(
  { fields, tags, labels, type }: RequestedValues,
  metadata: Metadata,
  { parts, input, problems }: { parts: IssueParts; input: Record<string, unknown>; problems: string[] },
): ResolvedInput['labels'] {
  const hasPointsLabel = !metadata.board?.points
  const names = labels.map(({ name }) => name)
  const wanted = listWantedLabels(fields, names, { ...parts.mapping, hasPointsLabel })
  if (type !== undefined) problems.push(...addType(type, { input, wanted }, metadata, parts.metadata))
  const find = (name: string) => {
    const points = parsePointsLabel(name)
    const found =
      metadata.labels.find((label) => equalsIgnoringCase(label.name, name)) ??
      metadata.labels.find((label) => points !== null && parsePointsLabel(label.name) === points)
    if (!found) problems.push(`The repository has no label "${name}". Create it there first.`)
    return found?.id ?? []
  }
  if ([...wanted].sort().join() !== [...names].sort().join()) input['labelIds'] = wanted.flatMap(find)
  const isThere = (name: string) => hasTags({ tags: names }, { add: [name], remove: [] })
  const removed = (tags?.remove ?? []).filter(isThere)
  return {
    add: (tags?.add ?? []).filter((name) => !isThere(name)).flatMap((name) => find(name.trim())),
    remove: labels
      .filter(({ name }) => removed.some((one) => equalsIgnoringCase(one.trim(), name)))
      .map(({ id }) => id),
  }
}

/** The labels that the issue will have. Tags do not replace the labels of its type and points. */
function listWantedLabels(
  fields: Values,
  labels: readonly string[],
  { typeLabels, hasPointsLabel }: Pick<IssueMapping, 'typeLabels'> & { hasPointsLabel: boolean },
): string[] {
  const tags = listTags(labels, typeLabels)
  const requested = splitTags(String(fields[fieldNames.labels] ?? ''))
  const { [fieldNames.points]: points } = fields
  const ofPoints = labels.filter((label) => parsePointsLabel(label) !== null)
  // A label counts where the board has no value, so it is removed too if the points are cleared.
  const newOfPoints = points === null ? [] : hasPointsLabel ? [`points:${points}`] : ofPoints
  return [
    ...labels.filter((label) => typeLabels.findType(label) !== null),
    ...(points === undefined ? ofPoints : newOfPoints),
    ...(fieldNames.labels in fields ? requested : tags),
  ]
}

/** Adds the type of the organization, or else a label for it, to the input. Returns a problem if there is neither. */
function addType(
  type: string,
  { input, wanted }: { input: Record<string, unknown>; wanted: string[] },
  metadata: Metadata,
  source: RepositoryMetadata,
): string[] {
  const ofOrganization = metadata.issueTypes.find(({ name }) => equalsIgnoringCase(name, type))
  const [label] = source.listTypeLabels(metadata, type)
  if (ofOrganization) input['issueTypeId'] = ofOrganization.id
  else if (label) wanted.push(label.name)
  else if (type !== UNTYPED) return [`The repository has neither a type nor a label for "${type}".`]
  return []
}

async function resolveAssignee(fields: Values, graphql: RepositoryClient, signal: AbortSignal) {
  if (!(fieldNames.assignee in fields)) return { input: {}, problem: null }
  const login = String(fields[fieldNames.assignee] ?? '').replace(/^@/, '')
  if (login === '') return { input: { assigneeIds: [] }, problem: null }
  const shape = z.object({ user: z.object({ id: z.string() }).nullable() })
  const query = 'query($login: String!) { user(login: $login) { id } }'
  const { user } = await graphql.query(() => ({ query, variables: { login } }), shape, signal)
  return user === null
    ? { input: {}, problem: `GitHub has no account "${login}".` }
    : { input: { assigneeIds: [user.id] }, problem: null }
}
