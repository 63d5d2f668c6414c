import * as z from 'zod'
import { MINUTE_MS } from '../../kernel/time'
import type { RetryingClient } from '../services/retrying-client'
import { TrackerError } from '../services/tracker-error'
import { createVerificationSignal } from '../services/verification-signal'
import type { CreationOutcome, NewItem, TrackerItem } from '../tracker'
import { resolveInput } from './issue-input'
import { createNotFoundError } from './issue-reader'
import { fieldNames, mapIssue, STATES } from './map-issue'
import { parseMutation } from './mutation-result'
import type { WriteParts } from './update-issues'
import { selectIssue, WireIssue } from './wire-issue'

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
  const { graphql, reader, metadata } = parts
  const { state, ...fields } = item.fields
  if (state !== undefined && state !== STATES[0]!.name) return { status: 'rejected', message: 'A new issue is open.' }
  const resolved = await resolveInput(
    { fields, labels: [], type: item.type },
    { graphql, mapping: reader.mapping, metadata },
    signal,
  )
  if ('problem' in resolved) return { status: 'rejected', message: resolved.problem }
  const parent =
    item.parentId === null ? null : (await reader.readWireIssues([item.parentId], signal)).get(item.parentId)
  if (parent === undefined) throw createNotFoundError(item.parentId!)
  if (validateOnly) return { status: 'created', id: null, item: null }
  const body = [fields[fieldNames.body], formatMarker(item.marker)].filter(Boolean).join('\n\n')
  const { repositoryId } = await metadata.get(signal)
  const input = { ...resolved.input, body, repositoryId, ...(parent ? { parentIssueId: parent.id } : {}) }
  const select = selectIssue(graphql.has, reader.mapping.board !== null)
  const mutation = `mutation($input: CreateIssueInput!) { createIssue(input: $input) { issue { ${select} } } }`
  const shape = z.object({ createIssue: z.object({ issue: WireIssue }) })
  const sent = await parseMutation(graphql.mutate(mutation, { input }, signal), shape)
  if (sent.kind === 'refused') throw sent.error
  if (sent.kind === 'rejected') return { status: 'rejected', message: sent.message }
  if (sent.kind === 'done') {
    const created = mapIssue(sent.data.createIssue.issue, reader.mapping)
    return { status: 'created', id: created.id, item: created }
  }
  const verification = createVerificationSignal(signal, graphql.limits)
  const found = await findCreatedIssue(item, verification, parts).catch((error: unknown) => {
    if (error instanceof TrackerError) return null
    throw error
  })
  return found === null
    ? { status: 'unknown', message: sent.message }
    : { status: 'created', id: found.id, item: found }
}

const WireNewest = z.object({
  issues: z.object({
    nodes: z.array(WireIssue),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  }),
})

/** The search of GitHub finds new issues late, so the newest ones are read. */
export async function findCreatedIssue(
  { marker, startedAt }: Pick<NewItem, 'marker' | 'startedAt'>,
  signal: AbortSignal,
  { client, graphql, reader }: CreateParts,
): Promise<TrackerItem | null> {
  const since = (client.toTrackerTime(startedAt) ?? startedAt) - CLOCK_TOLERANCE_MS
  let after: string | null = null
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { issues }: z.output<typeof WireNewest> = await graphql.queryRepository(
      {
        select: (has) =>
          `issues(first: ${PAGE_SIZE}, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) ` +
          `{ nodes { ${selectIssue(has, reader.mapping.board !== null)} } pageInfo { hasNextPage endCursor } }`,
        declarations: '$after: String',
        variables: { after },
      },
      WireNewest,
      signal,
    )
    const found = issues.nodes.find(({ body }) => body.includes(formatMarker(marker)))
    if (found) return mapIssue(found, reader.mapping)
    const isOlder = issues.nodes.some(({ createdAt }) => Date.parse(createdAt) < since)
    if (isOlder || !issues.pageInfo.hasNextPage || !issues.pageInfo.endCursor) return null
    after = issues.pageInfo.endCursor
  }
  return null
}

/** Null if the marker could not be removed. It is not visible on the page of the issue. */
export async function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  { graphql, reader }: WriteParts,
): Promise<TrackerItem | null> {
  try {
    const wire = (await reader.readWireIssues([id], signal)).get(id)
    if (!wire?.body.includes(formatMarker(marker))) return null
    const body = wire.body.replace(formatMarker(marker), '').trimEnd()
    const select = selectIssue(graphql.has, reader.mapping.board !== null)
    const mutation = `mutation($input: UpdateIssueInput!) { updateIssue(input: $input) { issue { ${select} } } }`
    const shape = z.object({ updateIssue: z.object({ issue: WireIssue }) })
    const sent = await parseMutation(graphql.mutate(mutation, { input: { id: wire.id, body } }, signal), shape)
    return sent.kind === 'done' ? mapIssue(sent.data.updateIssue.issue, reader.mapping) : null
  } catch (error) {
    if (error instanceof TrackerError) return null
    throw error
  }
}
