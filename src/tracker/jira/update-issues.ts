import { equalsIgnoringCase } from '../../kernel/text/text'
import { nullOnTrackerError, sendInOrder } from '../services/change-result'
import type { HttpRequest } from '../services/requests/http-client'
import {
  type FieldValue,
  type ItemWriter,
  isSameValue,
  type SentChange,
  updateAfterReading,
} from '../services/update-after-reading'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, Rejection, TagChanges, TrackerItem } from '../tracker'
import { describeInvalidLabel, describeTextLoss, editDescription, findPriority, resolveInput } from './issue-input'
import type { ReadIssue, WriteParts } from './issue-reader'
import type { JiraClient } from './jira-client'
import { findLevel } from './levels-and-states'
import { findLinkKind, isBlockedBy, isRelatesTo } from './map-issue'
import { listMissingFields, readTransitions, type Transition } from './parts/transitions'
import { readEditScreen, type ScreenField } from './screen-fields'
import { fieldNames, type SiteFields } from './site-fields'
import type { LinkType, Metadata } from './site-metadata'

/** Sends the changes one after another. Jira does not test revisions, and a bulk edit reports no outcome for a single issue. */
export async function updateIssues(
  changes: readonly ItemChange[],
  options: ReadOptions,
  parts: WriteParts,
): Promise<ChangeOutcome[]> {
  const site = changes.length > 0 ? await parts.metadata.forReading(options.signal) : null
  const writer: ItemWriter<ReadIssue> = {
    reader: parts.reader,
    limits: parts.client.limits,
    batchSize: 1,
    send: async ([change], issues, signal) => [await sendChange(change!, issues, parts, signal)],
    hasValue: (item, name, value) => hasValue(item, { name, value, site: site! }),
  }
  return updateAfterReading(changes, options, writer)
}

/** What a new description of an issue would take away from the text that Jira stores. */
export async function listTextLosses(
  id: number,
  { [fieldNames.description]: value }: ItemChange['fields'],
  { client, reader }: WriteParts,
  signal: AbortSignal,
): Promise<string[]> {
  if (value === undefined) return []
  const issue = (await reader.source.readWires([id], signal)).get(id)
  const edit = editDescription(issue?.wire.fields.description, value, await client.loadTexts(signal))
  const loss = edit && describeTextLoss(edit)
  return loss ? [loss] : []
}

/** A change takes several requests if it has a new state or links besides fields. */
async function sendChange(
  { id, fields: { [fieldNames.state]: state, ...fields }, links, tags }: ItemChange,
  issues: ReadonlyMap<number, ReadIssue>,
  parts: WriteParts,
  signal: AbortSignal,
): Promise<SentChange> {
  const { client } = parts
  const issue = issues.get(id)!
  const metadata = await parts.metadata.get(signal)
  const target = {
    before: issue.wire.fields.description,
    listScreen: () => nullOnTrackerError(readEditScreen(issue.wire.id, client, signal)),
  }
  const resolved = await resolveInput(fields, target, parts, signal)
  if ('problem' in resolved) return { kind: 'rejected', message: resolved.problem }
  const labels = tags ? createLabelSteps(issue.item.tags, tags) : []
  if (!Array.isArray(labels)) return { kind: 'rejected', message: labels.problem }
  const requests: HttpRequest[] = []
  const input = { ...resolved.fields }
  const linkTypes = links ? await parts.metadata.listLinkTypes(signal) : []
  for (const action of ['remove', 'add'] as const) {
    for (const link of links?.[action] ?? []) {
      const step = createLinkStep(action, link, { issue, other: issues.get(link.id)!, metadata, linkTypes })
      if ('problem' in step) return { kind: 'rejected', message: step.problem }
      if ('fields' in step) Object.assign(input, step.fields)
      else if (step.request) requests.push(step.request)
    }
  }
  const found = state === undefined ? null : await findTransition(issue, String(state), { input, client, signal })
  if (found !== null && 'problem' in found)
    return { kind: 'rejected', message: found.problem, ...(found.fields && { fields: found.fields }) }
  const onScreen = found?.transition?.screen.flatMap((field) => (field.id in input ? [field.id] : [])) ?? []
  const ofTransition = Object.fromEntries(onScreen.map((name) => [name, input[name]]))
  for (const name of onScreen) delete input[name]
  const path = `/issue/${id}`
  const update = labels.length > 0 ? { update: { labels } } : {}
  if (Object.keys(input).length > 0 || labels.length > 0)
    requests.unshift({
      method: 'PUT',
      path,
      body: { ...(Object.keys(input).length > 0 && { fields: input }), ...update },
    })
  if (found?.transition) {
    const body = { transition: { id: found.transition.id }, ...(onScreen.length > 0 && { fields: ofTransition }) }
    requests.push({ method: 'POST', path: `${path}/transitions`, body })
  }
  const sent = await sendInOrder(requests.map((request) => () => client.change(request, signal)))
  return resolved.note ? { ...sent, note: resolved.note } : sent
}

/** Jira adds and removes single labels, so that those of other people stay. It tells upper from lower case, which people do not. */
function createLabelSteps(labels: readonly string[], { add, remove }: TagChanges): object[] | { problem: string } {
  const wanted = add.map((label) => label.trim())
  const invalid = wanted.find((label) => /\s/.test(label))
  if (invalid !== undefined) return { problem: describeInvalidLabel(invalid) }
  const isNamed = (label: string, names: readonly string[]) =>
    names.some((name) => equalsIgnoringCase(name.trim(), label))
  return [
    ...labels.filter((label) => isNamed(label, remove)).map((label) => ({ remove: label })),
    ...wanted.filter((label) => !isNamed(label, labels)).map((label) => ({ add: label })),
  ]
}

/**
 * The transition to a state, which may also be named by the transition itself; null if the issue has the state. Refuses a transition whose
 * screen requires a value that neither the issue nor the change has.
 */
async function findTransition(
  issue: ReadIssue,
  state: string,
  { input, client, signal }: { input: Record<string, unknown>; client: JiraClient; signal: AbortSignal },
): Promise<{ transition: Transition | null } | ({ problem: string } & Pick<Rejection, 'fields'>)> {
  const { wire, item } = issue
  if (equalsIgnoringCase(item.state, state)) return { transition: null }
  const transitions = await readTransitions(wire.id, client, signal)
  const found =
    transitions.find((transition) => equalsIgnoringCase(transition.state, state)) ??
    transitions.find(({ name }) => equalsIgnoringCase(name, state))
  if (!found) {
    const reachable = [...new Set(transitions.map((transition) => transition.state))].join(', ') || 'no other state'
    return {
      problem: `The workflow of ${wire.key} has no transition from "${item.state}" to "${state}". It allows: ${reachable}.`,
    }
  }
  const missing = listMissingFields(found, wire).filter(({ id }) => !(id in input))
  if (missing.length === 0) return { transition: found }
  return {
    problem: `The transition "${found.name}" of ${wire.key} requires ${missing.map(describeField).join(', and ')}. Set it together with the state.`,
    fields: missing.map(({ id }) => ({ referenceName: id, message: `is required for "${found.name}"` })),
  }
}

function describeField({ name, allowedValues }: ScreenField): string {
  return allowedValues === null ? name : `${name} (${allowedValues.join(', ')})`
}

type LinkStep = { problem: string } | { fields: Record<string, unknown> } | { request: HttpRequest | null }

function createLinkStep(
  action: 'add' | 'remove',
  { kind }: ItemLink,
  {
    issue,
    other,
    metadata,
    linkTypes,
  }: { issue: ReadIssue; other: ReadIssue; metadata: Metadata; linkTypes: readonly LinkType[] },
): LinkStep {
  if (kind === 'parent') {
    const parent = action === 'add' ? other.wire : null
    return { fields: createParentInput(parent, findLevel(issue.wire.fields.issuetype), metadata) }
  }
  if (kind === 'child') {
    const parent = action === 'add' ? issue.wire : null
    const fields = createParentInput(parent, findLevel(other.wire.fields.issuetype), metadata)
    return { request: { method: 'PUT', path: `/issue/${other.wire.id}`, body: { fields } } }
  }
  const existing = issue.wire.fields.issuelinks.find(
    (link) => findLinkKind(link) === kind && (link.inwardIssue ?? link.outwardIssue)?.id === other.wire.id,
  )
  if (action === 'remove') return { request: existing ? { method: 'DELETE', path: `/issueLink/${existing.id}` } : null }
  const type = linkTypes.find(kind === 'related' ? isRelatesTo : isBlockedBy)
  if (!type) return { problem: `The site has no type of link for "${kind}".` }
  const [inward, outward] = kind === 'predecessor' ? [other, issue] : [issue, other]
  const body = { type: { id: type.id }, inwardIssue: { id: inward.wire.id }, outwardIssue: { id: outward.wire.id } }
  return { request: existing ? null : { method: 'POST', path: '/issueLink', body } }
}

/** Data Center has a field of its own for the epic of a story. */
export function createParentInput(
  parent: { id: string; key: string } | null,
  level: number,
  { deployment, custom }: SiteFields,
): Record<string, unknown> {
  const isEpicLink = deployment === 'server' && level > 0 && custom.epicLink !== null
  return isEpicLink ? { [custom.epicLink!]: parent?.key ?? null } : { parent: parent && { id: parent.id } }
}

function hasValue(
  item: TrackerItem,
  { name, value, site }: { name: string; value: FieldValue; site: SiteFields },
): boolean {
  const found = name === fieldNames.assignee ? item.assignedTo : item.fields[name]
  if (value === null || value === '') return found === undefined || found === null || found === ''
  const text = String(value)
  if (name === fieldNames.labels) return isSameValue(found, value, 'tags')
  if (name === fieldNames.assignee) {
    const { displayName, uniqueName } = item.assignedTo ?? { displayName: '', uniqueName: null }
    return [displayName, uniqueName].some((one) => isSameValue(one, value, 'person'))
  }
  if (name === fieldNames.priority) return isSameValue(found, findPriority(text, site)?.name ?? text)
  return isSameValue(found, value) || (name !== fieldNames.title && equalsIgnoringCase(String(found ?? ''), text))
}
