import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { splitTags } from '../services/update-after-reading'
import type { NewItem } from '../tracker'
import type { IssueParts } from './issue-reader'
import { parsePointsLabel, UNTYPED } from './labels'
import { fieldNames, type IssueMapping, listTags, STATES } from './map-issue'
import { type BoardValue, resolveBoardValues } from './project-board'
import type { RepositoryClient } from './repository-client'
import type { Metadata, RepositoryMetadata } from './repository-metadata'

type Values = Readonly<Record<string, string | number | boolean | null>>

/** The input for a mutation and the values on the board, or why GitHub could not take the values. */
export type ResolvedInput = { input: Record<string, unknown>; onBoard: BoardValue[] } | { problem: string }

/** Finds the IDs of people, labels and milestones. `labels` are those of the issue, which include its type and its points. */
export async function resolveInput(
  { fields, labels, type }: { fields: Values; labels: readonly string[]; type?: NewItem['type'] },
  parts: IssueParts,
  signal: AbortSignal,
): Promise<ResolvedInput> {
  const metadata = await parts.metadata.get(signal)
  const { board } = metadata
  const { values: onBoard, problems } = resolveBoardValues(fields, board)
  const input: Record<string, unknown> = {}
  const has = (name: string) => name in fields
  if (has(fieldNames.title)) input['title'] = String(fields[fieldNames.title] ?? '')
  if (has(fieldNames.body)) input['body'] = String(fields[fieldNames.body] ?? '')
  const state = fields[fieldNames.state]
  if (has(fieldNames.state) && !STATES.some(({ name }) => name === state))
    problems.push(`"${state}" is no state of an issue.`)
  if (has(fieldNames.assignee)) {
    const login = String(fields[fieldNames.assignee] ?? '').replace(/^@/, '')
    const id = login === '' ? null : await findUser(login, parts.graphql, signal)
    if (login !== '' && id === null) problems.push(`GitHub has no account "${login}".`)
    else input['assigneeIds'] = id === null ? [] : [id]
  }
  if (has(fieldNames.milestone) && board === null) {
    const title = fields[fieldNames.milestone] ?? null
    const found = metadata.milestones.find((one) => equalsIgnoringCase(one.title, String(title)))
    if (title !== null && !found) problems.push(`The repository has no milestone "${title}".`)
    else input['milestoneId'] = found?.id ?? null
  }
  const hasPointsLabel = !board?.pointsFieldId
  const wanted = listWantedLabels(fields, labels, { ...parts.mapping, hasPointsLabel })
  if (type !== undefined) problems.push(...addType(type, { input, wanted }, metadata, parts.metadata))
  if ([...wanted].sort().join() !== [...labels].sort().join()) {
    input['labelIds'] = wanted.flatMap((name) => {
      const points = parsePointsLabel(name)
      const found =
        metadata.labels.find((label) => equalsIgnoringCase(label.name, name)) ??
        metadata.labels.find((label) => points !== null && parsePointsLabel(label.name) === points)
      if (!found) problems.push(`The repository has no label "${name}". Create it there first.`)
      return found?.id ?? []
    })
  }
  return problems.length > 0 ? { problem: problems.join(' ') } : { input, onBoard }
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

async function findUser(login: string, graphql: RepositoryClient, signal: AbortSignal): Promise<string | null> {
  const shape = z.object({ user: z.object({ id: z.string() }).nullable() })
  const query = 'query($login: String!) { user(login: $login) { id } }'
  return (await graphql.query(() => ({ query, variables: { login } }), shape, signal)).user?.id ?? null
}
