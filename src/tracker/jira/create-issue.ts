import { equalsIgnoringCase } from '../../kernel/text'
import { type ChangeResult, nullOnTrackerError, sendOnce } from '../services/change-result'
import type { CreationOutcome, NewItem, TrackerItem } from '../tracker'
import { resolveInput } from './issue-input'
import { createMapping } from './issue-reader'
import { listWireFields, mapIssue, WireIssue } from './map-issue'
import { fieldNames, findLevel } from './site-metadata'
import { createParentInput, type WriteParts } from './update-issues'

/** The newest issues, among which the one with the marker is. */
const MAX_PAGES = 4

/** A label, because every type of issue has labels. */
function formatMarker(marker: string): string {
  return `studio-${marker}`
}

/**
 * Sends the new issue with a marker among its labels. A lost response does not say whether the issue was created, so then the newest issues
 * are searched for the marker, and it is never sent twice.
 */
export async function createIssue(
  item: NewItem,
  { signal, validateOnly = false }: { signal: AbortSignal; validateOnly?: boolean },
  parts: WriteParts,
): Promise<CreationOutcome> {
  const { client, reader } = parts
  const metadata = await parts.metadata.get(signal)
  const type = metadata.types.find(({ name }) => equalsIgnoringCase(name, item.type))
  if (!type) {
    const names = metadata.types.map(({ name }) => name).join(', ')
    return { status: 'rejected', message: `The project has no type "${item.type}". It has ${names}.` }
  }
  const { [fieldNames.state]: state, ...values } = item.fields
  if (state !== undefined) {
    const message = 'The workflow of Jira decides the first state of an issue. Create it, then change its state.'
    return { status: 'rejected', message }
  }
  const resolved = await resolveInput(values, {}, parts, signal)
  if ('problem' in resolved) return { status: 'rejected', message: resolved.problem }
  const { parentId } = item
  const parent = parentId === null ? null : (await reader.source.readWires([parentId], signal)).get(parentId)
  if (parent === undefined) throw reader.createNotFoundError(parentId!)
  if (validateOnly) return { status: 'created', id: null, item: null }
  const { epicName } = metadata.custom
  const needsName = metadata.deployment === 'server' && epicName !== null && findLevel(type) === 2
  const labels = (resolved.fields[fieldNames.labels] ?? []) as string[]
  const fields = {
    ...resolved.fields,
    ...(needsName ? { [epicName]: values[fieldNames.title] } : {}),
    ...(parent ? createParentInput(parent.wire, findLevel(type), metadata) : {}),
    [fieldNames.labels]: [...labels, formatMarker(item.marker)],
    project: { key: client.project.key },
    issuetype: { id: type.id },
  }
  const find = async (verification: AbortSignal) => (await findCreatedIssue(item, verification, parts))?.id ?? null
  const sent = await sendOnce(sendIssue({ fields }, parts, signal), find, { signal, limits: client.limits })
  if (sent.kind !== 'done') return { status: sent.kind, message: sent.message }
  const read = reader.readItem(sent.data, signal)
  return { status: 'created', id: sent.data, item: await nullOnTrackerError(read) }
}

async function sendIssue(body: unknown, { client }: WriteParts, signal: AbortSignal): Promise<ChangeResult<number>> {
  const sent = await client.change({ method: 'POST', path: '/issue', body }, signal)
  if (sent.kind !== 'done') return sent
  const id = Number(sent.data.id)
  return sent.data.id !== null && Number.isSafeInteger(id)
    ? { kind: 'done', data: id }
    : { kind: 'unknown', message: 'The response of the tracker has an unexpected shape.' }
}

/** The index of the labels is behind, so the newest issues are read rather than those with the label. */
export async function findCreatedIssue(
  { marker }: Pick<NewItem, 'marker'>,
  signal: AbortSignal,
  parts: WriteParts,
): Promise<TrackerItem | null> {
  const { client } = parts
  const metadata = await parts.metadata.get(signal)
  const jql = `project = "${client.project.key}" ORDER BY created DESC`
  const query = { jql, fields: listWireFields(metadata, 'all'), maxPages: MAX_PAGES, pageSize: 50 }
  for await (const wires of client.search(query, WireIssue, signal)) {
    const found = wires.find(({ fields }) => fields.labels.includes(formatMarker(marker)))
    if (found) return mapIssue(found, await createMapping([found], parts, signal))
  }
  return null
}

/** Null if the marker could not be removed. */
export function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  parts: WriteParts,
): Promise<TrackerItem | null> {
  const remove = async () => {
    const label = formatMarker(marker)
    const issue = (await parts.reader.source.readWires([id], signal)).get(id)
    if (!issue?.wire.fields.labels.includes(label)) return null
    const body = { update: { labels: [{ remove: label }] } }
    const sent = await parts.client.change({ method: 'PUT', path: `/issue/${id}`, body }, signal)
    return sent.kind === 'done' ? parts.reader.readItem(id, signal) : null
  }
  return nullOnTrackerError(remove())
}
