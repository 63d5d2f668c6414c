import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { ItemChange, TagChanges } from '../item-changes'
import { nodes } from '../services/requests/graphql-pages'
import { splitTags } from '../services/update-after-reading'
import type { ItemParts } from './item-reader'
import { fieldNames, nameCustomField, STATES } from './map-item'
import type { CustomField, Metadata } from './project-metadata'
import { escapeQuickActions } from './quick-actions'

interface Values {
  type: string
  fields: ItemChange['fields']
  tags?: TagChanges
  /** The labels that the item has; null for a new one. */
  labels: readonly string[] | null
}

/** The input for a mutation, or why GitLab could not take the values. */
export type ResolvedInput = { input: Record<string, unknown> } | { problem: string }

/** Finds the IDs of people, labels, milestones, iterations, statuses and options. */
export async function resolveInput(values: Values, parts: ItemParts, signal: AbortSignal): Promise<ResolvedInput> {
  const metadata = await parts.metadata.get(signal)
  const { fields } = values
  const input: Record<string, unknown> = {}
  const problems: string[] = []
  const text = (name: string) => String(fields[name] ?? '')
  const find = <One extends { id: string }>(name: string, all: readonly One[], titleOf: (one: One) => string) => {
    if (fields[name] == null) return null
    const found = all.find((one) => equalsIgnoringCase(titleOf(one), text(name)))
    if (!found) problems.push(`The project has no ${name} "${text(name)}".`)
    return found?.id ?? null
  }
  const dates: Record<string, unknown> = {}
  const custom: Record<string, unknown>[] = []
  for (const [name, value] of Object.entries(fields)) {
    const field = metadata.customFields.find(({ id }) => nameCustomField(id) === name)
    if (name === fieldNames.title) input['title'] = text(name)
    else if (name === fieldNames.description)
      input['descriptionWidget'] = { description: escapeQuickActions(text(name)) }
    else if (name === fieldNames.weight) input['weightWidget'] = { weight: value === null ? null : Number(value) }
    else if (name === fieldNames.healthStatus) input['healthStatusWidget'] = { healthStatus: value }
    else if (name === fieldNames.startDate || name === fieldNames.dueDate) dates[name] = value
    else if (name === fieldNames.milestone)
      input['milestoneWidget'] = { milestoneId: find(name, metadata.milestones, ({ title }) => title) }
    else if (name === fieldNames.iteration)
      input['iterationWidget'] = { iterationId: find(name, metadata.iterations, ({ path }) => path) }
    else if (name === fieldNames.state) Object.assign(input, resolveState(values, metadata, problems))
    else if (name === fieldNames.assignee) {
      const username = text(name).replace(/^@/, '')
      const id = username === '' ? null : await findUser(username, parts, signal)
      if (username !== '' && id === null) problems.push(`GitLab has no account "${username}".`)
      input['assigneesWidget'] = { assigneeIds: id === null ? [] : [id] }
    } else if (field) custom.push(resolveCustomField(field, value, problems))
    else if (name !== fieldNames.labels) problems.push(`Work items have no field "${name}" that can be set.`)
  }
  if (Object.keys(dates).length > 0) input['startAndDueDateWidget'] = { ...dates, isFixed: true }
  if (custom.length > 0) input['customFieldsWidget'] = custom
  const labels = resolveLabels(values, metadata, problems)
  if (labels !== null) input['labelsWidget'] = labels
  return problems.length > 0 ? { problem: problems.join(' ') } : { input }
}

/** A status decides whether the item is open. Without statuses, the item is opened or closed. */
function resolveState({ type, fields, labels }: Values, { types }: Metadata, problems: string[]): object {
  const state = String(fields[fieldNames.state] ?? '')
  const statuses = types.find(({ name }) => equalsIgnoringCase(name, type))?.statuses ?? []
  const status = statuses.find(({ name }) => equalsIgnoringCase(name, state))
  if (status) return { statusWidget: { status: status.id } }
  const at = STATES.findIndex(({ name }) => equalsIgnoringCase(name, state))
  if (at < 0) problems.push(`"${state}" is no state of the type ${type}.`)
  if (labels !== null) return { stateEvent: at === 0 ? 'REOPEN' : 'CLOSE' }
  if (at === 1) problems.push('A new work item is open.')
  return {}
}

function resolveCustomField(
  field: CustomField,
  value: ItemChange['fields'][string],
  problems: string[],
): Record<string, unknown> {
  const customFieldId = `gid://gitlab/Issuables::CustomField/${field.id}`
  if (field.fieldType === 'NUMBER') return { customFieldId, numberValue: value === null ? null : Number(value) }
  if (field.fieldType === 'DATE') return { customFieldId, dateValue: value }
  if (!/SELECT/.test(field.fieldType)) return { customFieldId, textValue: value === null ? null : String(value) }
  const wanted =
    field.fieldType === 'MULTI_SELECT' ? splitTags(String(value ?? '')) : value === null ? [] : [String(value)]
  const selectedOptionIds = wanted.flatMap((one) => {
    const option = field.selectOptions?.find((known) => equalsIgnoringCase(known.value, one))
    if (!option) problems.push(`The field "${field.name}" has no option "${one}".`)
    return option?.id ?? []
  })
  return { customFieldId, selectedOptionIds }
}

/** GitLab adds and removes labels, so labels that somebody else has added meanwhile stay. */
function resolveLabels({ fields, tags, labels }: Values, metadata: Metadata, problems: string[]): object | null {
  const wanted = fieldNames.labels in fields ? splitTags(String(fields[fieldNames.labels] ?? '')) : null
  const isIn = (all: readonly string[], tag: string) => all.some((one) => equalsIgnoringCase(one, tag))
  const current = labels ?? []
  const add = [...(tags?.add ?? []), ...(wanted ?? [])].filter((tag) => !isIn(current, tag))
  const remove = [
    ...(tags?.remove ?? []).filter((tag) => isIn(current, tag)),
    ...(wanted === null ? [] : current.filter((tag) => !isIn(wanted, tag))),
  ]
  const toIds = (all: readonly string[]) =>
    all.flatMap((tag) => {
      const found = metadata.labels.find(({ title }) => equalsIgnoringCase(title, tag.trim()))
      if (!found) problems.push(`The project has no label "${tag}". Create it there first.`)
      return found?.id ?? []
    })
  if (add.length + remove.length === 0) return null
  return labels === null ? { labelIds: toIds(add) } : { addLabelIds: toIds(add), removeLabelIds: toIds(remove) }
}

async function findUser(username: string, { graphql }: ItemParts, signal: AbortSignal): Promise<string | null> {
  const query = 'query($usernames: [String!]) { users(usernames: $usernames) { nodes { id username } } }'
  const request = () => ({ query, variables: { usernames: [username] } })
  const Answer = z.object({ users: nodes(z.object({ id: z.string(), username: z.string() })).nullable() })
  const { users } = await graphql.query(request, Answer, signal)
  return users?.nodes.find((one) => equalsIgnoringCase(one.username, username))?.id ?? null
}
