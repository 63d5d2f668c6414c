import * as z from 'zod'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { MINUTE_MS } from '../../kernel/time'
import { chunksOf } from '../../kernel/work/chunks'
import { MARKER_STAYS, nullOnTrackerError, parseResult } from '../services/change-result'
import { createWithMarker } from '../services/parts/create-with-marker'
import { quote } from '../services/quoted-text'
import { TrackerError } from '../services/requests/tracker-error'
import type { CreationOutcome, MarkerRemoval, NewItem, Rejection, TrackerItem } from '../tracker'
import { listNames, resolveInput } from './issue-input'
import { createMapping, type WriteParts } from './issue-reader'
import { findLevel } from './levels-and-states'
import { listWireFields, mapIssue, WireIssue } from './map-issue'
import { fieldNames, toFieldName } from './site-fields'
import { createParentInput } from './update-issues'

/** How far the clocks may differ: an issue that was created this long before it was sent is still found by its marker. */
const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS

const WireCreated = z.object({ id: z.string().regex(/^\d+$/) })

/** The key of an entity property. Every issue can have one, and people do not see it. */
function formatMarker(marker: string): string {
  return `studio-${marker}`
}

const WireMarked = WireIssue.extend({ properties: z.record(z.string(), z.unknown()).default({}) })

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
      const body = { fields, properties: [{ key: formatMarker(item.marker), value: { createdBy: 'studio' } }] }
      const sent = await client.change({ method: 'POST', path: '/issue', body }, options.signal)
      return parseResult(sent, (json) => Number(WireCreated.parse(json).id))
    },
    find: (verification) => findCreatedIssue(item, verification, parts),
  })
}

/** The fields of the new issue. Jira would name the required ones that are missing only when it is created. */
async function resolveIssue(
  item: NewItem,
  parent: WireIssue | null,
  parts: WriteParts,
  signal: AbortSignal,
): Promise<{ input: Record<string, unknown> } | ({ problem: string } & Pick<Rejection, 'fields'>)> {
  const metadata = await parts.metadata.get(signal)
  const type = metadata.types.find(({ name }) => equalsIgnoringCase(name, item.type))
  if (!type) return { problem: `The project has no type "${item.type}". It has ${listNames(metadata.types)}.` }
  const { [fieldNames.state]: state, ...values } = item.fields
  if (state !== undefined) {
    return { problem: "Jira's workflow sets the first state of an issue. Create the issue, then change its state." }
  }
  const screen = await parts.metadata.listCreateFields(type.id, signal)
  const listScreen = async () => screen && new Set(screen.map(({ id }) => id))
  const resolved = await resolveInput(values, { listScreen }, parts, signal)
  if ('problem' in resolved) return resolved
  const { epicName } = metadata.custom
  const needsName = metadata.deployment === 'server' && epicName !== null && findLevel(type) === 2
  const input: Record<string, unknown> = {
    ...(needsName ? { [epicName]: values[fieldNames.title] } : {}),
    ...resolved.fields,
    ...(parent ? createParentInput(parent, findLevel(type), metadata) : {}),
    project: { key: parts.client.project.key },
    issuetype: { id: type.id },
  }
  const missing = (screen ?? []).filter(({ id, isRequired }) => isRequired && (input[id] ?? null) === null)
  if (missing.length === 0) return { input }
  return {
    problem: `Jira requires values for a ${type.name}: ${missing.map(({ name }) => name).join(', ')}.`,
    fields: missing.map(({ id, name }) => ({
      referenceName: toFieldName(id, metadata.custom),
      message: `${name} is required.`,
    })),
  }
}

/** How many issues are asked for their properties at once. */
const BATCH_SIZE = 4

/**
 * Reads what this account has created since, the oldest first. Cloud returns the properties with the issues. Data Center is asked for the
 * property of each of them.
 */
export async function findCreatedIssue(
  { marker, startedAt }: Pick<NewItem, 'marker' | 'startedAt'>,
  signal: AbortSignal,
  parts: WriteParts,
): Promise<TrackerItem | null> {
  const { client } = parts
  const metadata = await parts.metadata.forReading(signal)
  const since = (client.http.toTrackerTime(startedAt) ?? startedAt) - CLOCK_TOLERANCE_MS
  const jql = `project = ${quote(client.project.key)} AND creator = currentUser() AND created >= ${since} ORDER BY created ASC`
  const key = formatMarker(marker)
  const isCloud = metadata.deployment === 'cloud'
  const query = { jql, fields: listWireFields(metadata, 'all'), properties: [key], pageSize: 50 }
  for await (const wires of client.search(query, WireMarked, signal)) {
    const found = isCloud ? wires.find(({ properties }) => key in properties) : await findWithProperty(wires, key)
    if (found) return mapIssue(found, await createMapping([found], parts, signal))
  }
  return null

  async function findWithProperty<Wire extends WireIssue>(wires: readonly Wire[], key: string): Promise<Wire | null> {
    for (const few of chunksOf(wires, BATCH_SIZE)) {
      const marked = await Promise.all(few.map(({ id }) => hasProperty(id, key, parts, signal)))
      if (marked.includes(true)) return few[marked.indexOf(true)]!
    }
    return null
  }
}

async function hasProperty(
  issueId: string,
  key: string,
  { client }: WriteParts,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.get(pathOfProperty(issueId, key), {}, z.object({ key: z.string() }), signal)
    return true
  } catch (error) {
    if (error instanceof TrackerError && error.code === 'not_found') return false
    throw error
  }
}

function pathOfProperty(issueId: number | string, key: string): string {
  return `/issue/${issueId}/properties/${encodeURIComponent(key)}`
}

/** Makes no new version of the issue. Jira says of a property that is gone that it was not found. */
export async function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  { client, reader }: WriteParts,
): Promise<MarkerRemoval> {
  const path = pathOfProperty(id, formatMarker(marker))
  const sent = await nullOnTrackerError(client.change({ method: 'DELETE', path }, signal))
  if (sent?.kind === 'rejected' && sent.code === 'not_found') return { isGone: true, item: null }
  if (sent?.kind !== 'done') return MARKER_STAYS
  return { isGone: true, item: await nullOnTrackerError(reader.readItem(id, signal)) }
}
