import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { MINUTE_MS } from '../../kernel/time'
import { MARKER_STAYS, nullOnTrackerError, parseResult } from '../services/change-result'
import { createWithMarker } from '../services/create-with-marker'
import type { CreationOutcome, MarkerRemoval, NewItem, TrackerItem } from '../tracker'
import { listNames, resolveInput } from './issue-input'
import { createMapping } from './issue-reader'
import { listWireFields, mapIssue, WireIssue } from './map-issue'
import { fieldNames, findLevel } from './site-metadata'
import { createParentInput, type WriteParts } from './update-issues'

/** How far the clocks may differ: an issue that was created this long before it was sent is still found by its marker. */
const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS

const WireCreated = z.object({ id: z.string().regex(/^\d+$/) })

/** A label, because every type of issue has labels. */
function formatMarker(marker: string): string {
  return `studio-${marker}`
}

export async function createIssue(
  item: NewItem,
  options: { signal: AbortSignal; validateOnly?: boolean },
  parts: WriteParts,
): Promise<CreationOutcome> {
  const { client, reader } = parts
  return createWithMarker(item, options, {
    reader,
    limits: client.limits,
    resolve: (parent) => resolveIssue(item, parent?.wire ?? null, parts, options.signal),
    async send(fields) {
      const sent = await client.change({ method: 'POST', path: '/issue', body: { fields } }, options.signal)
      return parseResult(sent, (json) => Number(WireCreated.parse(json).id))
    },
    find: (verification) => findCreatedIssue(item, verification, parts),
  })
}

/** The fields of the new issue, with a marker among its labels. */
async function resolveIssue(
  item: NewItem,
  parent: WireIssue | null,
  parts: WriteParts,
  signal: AbortSignal,
): Promise<{ input: Record<string, unknown> } | { problem: string }> {
  const metadata = await parts.metadata.get(signal)
  const type = metadata.types.find(({ name }) => equalsIgnoringCase(name, item.type))
  if (!type) return { problem: `The project has no type "${item.type}". It has ${listNames(metadata.types)}.` }
  const { [fieldNames.state]: state, ...values } = item.fields
  if (state !== undefined) {
    return { problem: "Jira's workflow sets the first state of an issue. Create the issue, then change its state." }
  }
  const resolved = await resolveInput(values, {}, parts, signal)
  if ('problem' in resolved) return resolved
  const { epicName } = metadata.custom
  const needsName = metadata.deployment === 'server' && epicName !== null && findLevel(type) === 2
  const labels = (resolved.fields[fieldNames.labels] ?? []) as string[]
  return {
    input: {
      ...resolved.fields,
      ...(needsName ? { [epicName]: values[fieldNames.title] } : {}),
      ...(parent ? createParentInput(parent, findLevel(type), metadata) : {}),
      [fieldNames.labels]: [...labels, formatMarker(item.marker)],
      project: { key: parts.client.project.key },
      issuetype: { id: type.id },
    },
  }
}

/** The index of the labels is behind, so all issues since the creation are read, the oldest first, rather than those with the label. */
export async function findCreatedIssue(
  { marker, startedAt }: Pick<NewItem, 'marker' | 'startedAt'>,
  signal: AbortSignal,
  parts: WriteParts,
): Promise<TrackerItem | null> {
  const { client } = parts
  const metadata = await parts.metadata.forReading(signal)
  const since = (client.http.toTrackerTime(startedAt) ?? startedAt) - CLOCK_TOLERANCE_MS
  const jql = `project = "${client.project.key}" AND created >= ${since} ORDER BY created ASC`
  const query = { jql, fields: listWireFields(metadata, 'all'), pageSize: 50 }
  for await (const wires of client.search(query, WireIssue, signal)) {
    const found = wires.find(({ fields }) => fields.labels.includes(formatMarker(marker)))
    if (found) return mapIssue(found, await createMapping([found], parts, signal))
  }
  return null
}

export async function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  parts: WriteParts,
): Promise<MarkerRemoval> {
  const remove = async (): Promise<MarkerRemoval> => {
    const label = formatMarker(marker)
    const issue = (await parts.reader.source.readWires([id], signal)).get(id)
    if (!issue?.wire.fields.labels.includes(label)) return { isGone: true, item: null }
    const body = { update: { labels: [{ remove: label }] } }
    const sent = await parts.client.change({ method: 'PUT', path: `/issue/${id}`, body }, signal)
    if (sent.kind !== 'done') return MARKER_STAYS
    return { isGone: true, item: await nullOnTrackerError(parts.reader.readItem(id, signal)) }
  }
  return (await nullOnTrackerError(remove())) ?? MARKER_STAYS
}
