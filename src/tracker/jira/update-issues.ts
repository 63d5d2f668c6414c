import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { sendInOrder } from '../services/change-result'
import type { HttpRequest } from '../services/requests/http-client'
import {
  type FieldValue,
  type ItemWriter,
  isSameValue,
  type SentChange,
  updateAfterReading,
} from '../services/update-after-reading'
import type { ChangeOutcome, ItemChange, ItemLink, ReadOptions, TrackerItem } from '../tracker'
import { describeTextLoss, editDescription, findPriority, resolveInput } from './issue-input'
import type { IssueReader, ReadIssue, ReadParts } from './issue-reader'
import { findLinkKind, isBlockedBy, isRelatesTo } from './map-issue'
import { fieldNames, findLevel, type Metadata, type SiteFields } from './site-metadata'

export interface WriteParts extends ReadParts {
  reader: IssueReader
}

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
  { id, fields: { [fieldNames.state]: state, ...fields }, links }: ItemChange,
  issues: ReadonlyMap<number, ReadIssue>,
  parts: WriteParts,
  signal: AbortSignal,
): Promise<SentChange> {
  const issue = issues.get(id)!
  const metadata = await parts.metadata.get(signal)
  const resolved = await resolveInput(fields, { before: issue.wire.fields.description }, parts, signal)
  if ('problem' in resolved) return { kind: 'rejected', message: resolved.problem }
  const requests: HttpRequest[] = []
  const input = { ...resolved.fields }
  for (const action of ['remove', 'add'] as const) {
    for (const link of links?.[action] ?? []) {
      const step = createLinkStep(action, link, { issue, other: issues.get(link.id)!, metadata })
      if ('problem' in step) return { kind: 'rejected', message: step.problem }
      if ('fields' in step) Object.assign(input, step.fields)
      else if (step.request) requests.push(step.request)
    }
  }
  const transition = state === undefined ? null : await findTransition(issue, String(state), parts, signal)
  if (transition !== null && 'problem' in transition) return { kind: 'rejected', message: transition.problem }
  const path = `/issue/${id}`
  if (Object.keys(input).length > 0) requests.unshift({ method: 'PUT', path, body: { fields: input } })
  if (transition?.id) requests.push({ method: 'POST', path: `${path}/transitions`, body: { transition } })
  const sent = await sendInOrder(requests.map((request) => () => parts.client.change(request, signal)))
  return resolved.note ? { ...sent, note: resolved.note } : sent
}

const WireScreenField = z.object({ name: z.string(), required: z.boolean(), hasDefaultValue: z.boolean().optional() })
const WireTransition = z.object({
  id: z.string(),
  name: z.string(),
  to: z.object({ name: z.string() }),
  fields: z.record(z.string(), WireScreenField).default({}),
})
const WireTransitions = z.object({ transitions: z.array(WireTransition) })

/**
 * The transition to a state, which may also be named by the transition itself; without an ID if the issue has the state. Refuses a transition
 * whose screen requires a value that the issue does not have.
 */
async function findTransition(
  { wire, item }: ReadIssue,
  state: string,
  { client }: WriteParts,
  signal: AbortSignal,
): Promise<{ id?: string } | { problem: string }> {
  if (equalsIgnoringCase(item.state, state)) return {}
  const query = { expand: 'transitions.fields' }
  const { transitions } = await client.get(`/issue/${wire.id}/transitions`, query, WireTransitions, signal)
  const found =
    transitions.find(({ to }) => equalsIgnoringCase(to.name, state)) ??
    transitions.find(({ name }) => equalsIgnoringCase(name, state))
  const required = Object.entries(found?.fields ?? {}).filter(([, field]) => field.required && !field.hasDefaultValue)
  const missing = required.filter(([id]) => wire.fields[id] === null).map(([, { name }]) => name)
  if (missing.length > 0)
    return {
      problem: `The transition "${found!.name}" of ${wire.key} asks for ${missing.join(', ')}, which studio does not set. Change the state in Jira.`,
    }
  if (found) return { id: found.id }
  const reachable = [...new Set(transitions.map(({ to }) => to.name))].join(', ') || 'no other state'
  return {
    problem: `The workflow of ${wire.key} has no transition from "${item.state}" to "${state}". It allows: ${reachable}.`,
  }
}

type LinkStep = { problem: string } | { fields: Record<string, unknown> } | { request: HttpRequest | null }

function createLinkStep(
  action: 'add' | 'remove',
  { kind }: ItemLink,
  { issue, other, metadata }: { issue: ReadIssue; other: ReadIssue; metadata: Metadata },
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
  const type = metadata.linkTypes.find(kind === 'related' ? isRelatesTo : isBlockedBy)
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
