import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { choosePerson } from '../services/choose-person'
import { UNTYPED } from '../services/type-labels'
import { splitTags } from '../services/update-after-reading'
import type { ItemChange, TagChanges } from '../tracker'
import type { IssueParts } from './issue-reader'
import type { LinearClient } from './linear-client'
import { fieldNames } from './map-issue'
import type { Metadata } from './team-metadata'
import { USER, WireUser } from './wire-issue'

type Values = ItemChange['fields']

export interface RequestedValues {
  fields: Values
  tags?: TagChanges | undefined
  /** The IDs of the labels of the issue, which include its type. */
  labelIds: readonly string[]
  /** The type of a new issue. */
  type?: string
}

/** The values of an issue as the API takes them, or why Linear could not take them. */
export type ResolvedInput = { input: Record<string, unknown> } | { problem: string }

export async function resolveInput(
  requested: RequestedValues,
  parts: IssueParts,
  signal: AbortSignal,
): Promise<ResolvedInput> {
  const { input, problems } = await parts.metadata.find(
    (metadata) => resolveWith(metadata, requested, parts),
    (resolved) => resolved.problems.length === 0,
    signal,
  )
  const { [fieldNames.assignee]: assignee } = requested.fields
  if (assignee !== undefined) {
    const name = String(assignee ?? '')
      .replace(/^@/, '')
      .trim()
    const person = name === '' ? null : await findPerson(name, parts.linear, signal)
    if (name !== '' && person === null) problems.push(`Linear has no account "${name}", or several.`)
    input['assigneeId'] = person?.id ?? null
  }
  return problems.length > 0 ? { problem: problems.join(' ') } : { input }
}

const PRIORITIES = ['none', 'urgent', 'high', 'medium', 'low']

function resolveWith(
  metadata: Metadata,
  { fields, tags, labelIds, type }: RequestedValues,
  { metadata: source, mapping }: IssueParts,
): { input: Record<string, unknown>; problems: string[] } {
  const problems: string[] = []
  const input: Record<string, unknown> = {}
  const fail = (message: string) => {
    problems.push(message)
    return undefined
  }
  const known = new Set<string>(Object.values(fieldNames))
  const resolvers: Partial<Record<string, (text: string) => unknown>> = {
    [fieldNames.title]: (text) => ['title', text],
    [fieldNames.description]: (text) => ['description', text],
    [fieldNames.state]: (text) => [
      'stateId',
      findId(metadata.states, text) ?? fail(`The team has no state "${text}".`),
    ],
    [fieldNames.cycle]: (text) => [
      'cycleId',
      text && (findCycle(metadata, text) ?? fail(`The team has no cycle "${text}".`)),
    ],
    [fieldNames.project]: (text) => [
      'projectId',
      text && (findId(metadata.projects, text) ?? fail(`The team has no project "${text}".`)),
    ],
    [fieldNames.estimate]: (text) => ['estimate', text && toWhole(text, 1_000_000, fail, 'An estimate')],
    [fieldNames.priority]: (text) => ['priority', toPriority(text, fail)],
    [fieldNames.dueDate]: (text) => [
      'dueDate',
      text && (/^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? fail(`"${text}" is no date.`)),
    ],
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!known.has(name)) problems.push(`Issues have no field "${name}".`)
    const [key, resolved] = (resolvers[name]?.(String(value ?? '')) ?? []) as [string?, unknown?]
    // An empty title or description is a value; of all others it clears the field.
    const isText = name === fieldNames.title || name === fieldNames.description
    if (key !== undefined) input[key] = resolved === '' && !isText ? null : resolved
  }
  const findLabel = (name: string) =>
    findId(metadata.labels, name.trim()) ?? fail(`The team has no label "${name.trim()}". Create it there first.`) ?? []
  const isType = (id: string) =>
    metadata.labels.some((one) => one.id === id && mapping.typeLabels.findType(one.name) !== null)
  const ofType = labelIds.filter(isType)
  if (type !== undefined && type !== UNTYPED)
    ofType.push(
      ...[
        source.listTypeLabels(metadata, type)[0]?.id ?? fail(`The team has no label for the type "${type}".`) ?? [],
      ].flat(),
    )
  if (fieldNames.labels in fields)
    input['labelIds'] = [...ofType, ...splitTags(String(fields[fieldNames.labels] ?? '')).flatMap(findLabel)]
  else if (type !== undefined && ofType.length > 0) input['labelIds'] = ofType
  const added = (tags?.add ?? []).flatMap(findLabel).filter((id) => !labelIds.includes(id))
  // A label that does not exist is no label of the issue.
  const removed = (tags?.remove ?? []).flatMap((name) => findId(metadata.labels, name.trim()) ?? [])
  if (added.length > 0) input['addedLabelIds'] = added
  if (removed.some((id) => labelIds.includes(id)))
    input['removedLabelIds'] = removed.filter((id) => labelIds.includes(id))
  return { input, problems }
}

function findId(all: readonly { id: string; name: string }[], name: string): string | undefined {
  return all.find((one) => equalsIgnoringCase(one.name, name))?.id
}

/** By its path, or by its number. Of several cycles with one name, the latest one. */
function findCycle({ cycles }: Metadata, text: string): string | undefined {
  return cycles.findLast(({ path, number }) => equalsIgnoringCase(path, text) || String(number) === text)?.id
}

type Fail = (message: string) => undefined

function toWhole(text: string, largest: number, fail: Fail, what: string): number | undefined {
  const value = Number(text)
  return Number.isInteger(value) && value >= 0 && value <= largest
    ? value
    : fail(`${what} is a whole number from 0 to ${largest}, and not "${text}".`)
}

/** Linear has the priorities 1 (urgent) to 4 (low), and 0 for none. */
function toPriority(text: string, fail: Fail): number | undefined {
  const index = PRIORITIES.indexOf(text.trim().toLowerCase())
  return index >= 0 ? index : text === '' ? 0 : toWhole(text, 4, fail, 'A priority')
}

/** An account by its e-mail address or one of its names. */
async function findPerson(name: string, linear: LinearClient, signal: AbortSignal): Promise<WireUser | null> {
  const is = { eqIgnoreCase: name }
  const filter = { or: [{ email: is }, { displayName: is }, { name: is }] }
  const shape = z.object({ users: z.object({ nodes: z.array(WireUser) }) })
  const select = `users(filter: $filter, first: 10) { nodes { ${USER} } }`
  const { users } = await linear.ask(select, { filter: ['UserFilter', filter] }, shape, signal)
  return choosePerson(users.nodes, name, ({ email }) => [email])
}
