import * as z from 'zod'
import { MINUTE_MS } from '../../kernel/time'
import { type ChangeResult, nullOnTrackerError, sendOnce } from '../services/change-result'
import { readPages } from '../services/pages'
import type { RetryingClient } from '../services/retrying-client'
import type { CreationOutcome, NewItem, TrackerItem } from '../tracker'
import type { HasField } from './graphql-client'
import { resolveInput } from './issue-input'
import { fieldNames, mapIssue, STATES } from './map-issue'
import { parseMutation } from './mutation-result'
import { NO_SUB_ISSUES, type WriteParts } from './update-issues'
import { createPageShape, PAGE_INFO, selectIssue, WireIssue } from './wire-issue'

/** How far the clocks may differ: an issue that was created this long before it was sent is still found by its marker. */
const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS
/** The newest issues, among which the one with the marker is. */
const MAX_PAGES = 4
const PAGE_SIZE = 100

interface CreateParts extends WriteParts {
  client: RetryingClient
}

/** A comment in the body, which GitHub does not show. */
function formatMarker(marker: string): string {
  return `<!-- studio: ${marker} -->`
}

/**
 * Sends the new issue with a marker in its body. A lost response does not say whether the issue was created, so then the newest issues are
 * searched for the marker, and it is never sent twice.
 */
export async function createIssue(
  item: NewItem,
  { signal, validateOnly = false }: { signal: AbortSignal; validateOnly?: boolean },
  parts: CreateParts,
): Promise<CreationOutcome> {
  const { graphql, reader, mapping, metadata } = parts
  const { state, ...fields } = item.fields
  if (state !== undefined && state !== STATES[0]!.name) return { status: 'rejected', message: 'A new issue is open.' }
  const resolved = await resolveInput({ fields, labels: [], type: item.type }, parts, signal)
  if ('problem' in resolved) return { status: 'rejected', message: resolved.problem }
  const { parentId } = item
  const parent = parentId === null ? null : (await reader.source.readWires([parentId], signal)).get(parentId)
  if (parent === undefined) throw reader.createNotFoundError(parentId!)
  if (parent !== null && !graphql.has('parent')) return { status: 'rejected', message: NO_SUB_ISSUES }
  if (validateOnly) return { status: 'created', id: null, item: null }
  const body = [fields[fieldNames.body], formatMarker(item.marker)].filter(Boolean).join('\n\n')
  const { repositoryId } = await metadata.get(signal)
  const input = { ...resolved.input, body, repositoryId, ...(parent ? { parentIssueId: parent.id } : {}) }
  const sending = mutateIssue('createIssue', input, parts, signal)
  const find = (verification: AbortSignal) => findNewestWith(item, verification, parts)
  const sent = await sendOnce(sending, find, { signal, limits: graphql.limits })
  if (sent.kind !== 'done') return { status: sent.kind, message: sent.message }
  const created = mapIssue(sent.data, mapping)
  return { status: 'created', id: created.id, item: created }
}

function mutateIssue(
  name: 'createIssue' | 'updateIssue',
  input: Record<string, unknown>,
  { graphql, mapping }: WriteParts,
  signal: AbortSignal,
): Promise<ChangeResult<WireIssue>> {
  const type = name === 'createIssue' ? 'CreateIssueInput' : 'UpdateIssueInput'
  const write = (has: HasField) =>
    `mutation($input: ${type}!) { changed: ${name}(input: $input) { issue { ${selectIssue(has, mapping.board !== null)} } } }`
  const shape = z.object({ changed: z.object({ issue: WireIssue }) }).transform(({ changed }) => changed.issue)
  return parseMutation(graphql.mutate(write, { input }, signal), shape)
}

const WireNewest = z.object({ issues: createPageShape(WireIssue) })

/** The search of GitHub finds new issues late, so the newest ones are read. */
async function findNewestWith(
  { marker, startedAt }: Pick<NewItem, 'marker' | 'startedAt'>,
  signal: AbortSignal,
  { client, graphql, mapping }: CreateParts,
): Promise<WireIssue | null> {
  const since = (client.toTrackerTime(startedAt) ?? startedAt) - CLOCK_TOLERANCE_MS
  const readPage = async (after: string | null) => {
    const { issues } = await graphql.queryRepository(
      {
        select: (has) =>
          `issues(first: ${PAGE_SIZE}, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) ` +
          `{ nodes { ${selectIssue(has, mapping.board !== null)} } ${PAGE_INFO} }`,
        declarations: '$after: String',
        variables: { after },
      },
      WireNewest,
      signal,
    )
    return issues
  }
  for await (const newest of readPages(readPage, MAX_PAGES)) {
    const found = newest.find(({ body }) => body.includes(formatMarker(marker)))
    if (found || newest.some(({ createdAt }) => Date.parse(createdAt) < since)) return found ?? null
  }
  return null
}

export async function findCreatedIssue(
  item: Pick<NewItem, 'marker' | 'startedAt'>,
  signal: AbortSignal,
  parts: CreateParts,
): Promise<TrackerItem | null> {
  const found = await findNewestWith(item, signal, parts)
  return found && mapIssue(found, parts.mapping)
}

/** Null if the marker could not be removed. It is not visible on the page of the issue. */
export function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  parts: WriteParts,
): Promise<TrackerItem | null> {
  const remove = async () => {
    const wire = (await parts.reader.source.readWires([id], signal)).get(id)
    if (!wire?.body.includes(formatMarker(marker))) return null
    const body = wire.body.replace(formatMarker(marker), '').trimEnd()
    const sent = await mutateIssue('updateIssue', { id: wire.id, body }, parts, signal)
    return sent.kind === 'done' ? mapIssue(sent.data, parts.mapping) : null
  }
  return nullOnTrackerError(remove())
}
