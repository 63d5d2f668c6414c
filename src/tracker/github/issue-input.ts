import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text'
import { splitTags } from '../services/update-after-reading'
import type { NewItem } from '../tracker'
import type { GraphqlClient } from './graphql-client'
import { parsePointsLabel, UNTYPED } from './labels'
import { fieldNames, type IssueMapping, listTags, STATES } from './map-issue'
import type { Metadata, RepositoryMetadata } from './repository-metadata'

/** The values of an issue in the form of a mutation. */
export interface IssueInput {
  title?: string
  body?: string
  assigneeIds?: string[]
  labelIds?: string[]
  milestoneId?: string | null
  issueTypeId?: string
}

type Values = Readonly<Record<string, string | number | boolean | null>>

/** The input for a mutation, or why GitHub could not take the values. */
export type ResolvedInput = { input: IssueInput } | { problem: string }

interface InputParts {
  graphql: GraphqlClient
  mapping: IssueMapping
  metadata: RepositoryMetadata
}

/** Finds the IDs of people, labels and milestones. `labels` are those of the issue, which include its type and its points. */
export async function resolveInput(
  { fields, labels, type }: { fields: Values; labels: readonly string[]; type?: NewItem['type'] },
  parts: InputParts,
  signal: AbortSignal,
): Promise<ResolvedInput> {
  const metadata = await parts.metadata.get(signal)
  const input: IssueInput = {}
  const problems: string[] = []
  const has = (name: string) => name in fields
  if (has(fieldNames.title)) input.title = String(fields[fieldNames.title] ?? '')
  if (has(fieldNames.body)) input.body = String(fields[fieldNames.body] ?? '')
  const state = fields[fieldNames.state]
  if (has(fieldNames.state) && !STATES.some(({ name }) => name === state))
    problems.push(`"${state}" is no state of an issue.`)
  if (has(fieldNames.assignee)) {
    const login = String(fields[fieldNames.assignee] ?? '').replace(/^@/, '')
    const id = login === '' ? null : await findUser(login, parts.graphql, signal)
    if (login !== '' && id === null) problems.push(`GitHub has no account "${login}".`)
    else input.assigneeIds = id === null ? [] : [id]
  }
  if (has(fieldNames.milestone)) {
    const title = fields[fieldNames.milestone] ?? null
    const found = metadata.milestones.find((one) => equalsIgnoringCase(one.title, String(title)))
    if (title !== null && !found) problems.push(`The repository has no milestone "${title}".`)
    else input.milestoneId = found?.id ?? null
  }
  const wanted = listWantedLabels(fields, labels, parts.mapping)
  if (type !== undefined) problems.push(...addType(type, { input, wanted }, metadata, parts.metadata))
  if (has(fieldNames.labels) || has(fieldNames.points) || (type !== undefined && wanted.length > 0)) {
    input.labelIds = wanted.flatMap((name) => {
      const found = metadata.labels.find((label) => equalsIgnoringCase(label.name, name))
      if (!found) problems.push(`The repository has no label "${name}". Create it there first.`)
      return found?.id ?? []
    })
  }
  return problems.length > 0 ? { problem: problems.join(' ') } : { input }
}

/** The labels that the issue will have. Tags do not replace the labels of its type and points. */
function listWantedLabels(fields: Values, labels: readonly string[], { typeLabels }: IssueMapping): string[] {
  const tags = listTags(labels, typeLabels)
  const requested = splitTags(String(fields[fieldNames.labels] ?? ''))
  const points = fields[fieldNames.points] ?? null
  const ofPoints = labels.filter((label) => parsePointsLabel(label) !== null)
  return [
    ...labels.filter((label) => typeLabels.findType(label) !== null),
    ...(fieldNames.points in fields ? (points === null ? [] : [`points:${points}`]) : ofPoints),
    ...(fieldNames.labels in fields ? requested : tags),
  ]
}

/** Adds the type of the organization, or else a label for it, to the input. Returns a problem if there is neither. */
function addType(
  type: string,
  { input, wanted }: { input: IssueInput; wanted: string[] },
  metadata: Metadata,
  source: RepositoryMetadata,
): string[] {
  const ofOrganization = metadata.issueTypes.find(({ name }) => equalsIgnoringCase(name, type))
  const [label] = source.listTypeLabels(metadata, type)
  if (ofOrganization) input.issueTypeId = ofOrganization.id
  else if (label) wanted.push(label.name)
  else if (type !== UNTYPED) return [`The repository has neither a type nor a label for "${type}".`]
  return []
}

async function findUser(login: string, graphql: GraphqlClient, signal: AbortSignal): Promise<string | null> {
  const shape = z.object({ user: z.object({ id: z.string() }).nullable() })
  return (
    (await graphql.query('query($login: String!) { user(login: $login) { id } }', { login }, shape, signal)).user?.id ??
    null
  )
}
