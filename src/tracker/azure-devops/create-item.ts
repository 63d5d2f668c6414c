import type { ErrorCode } from '../../kernel'
import { MINUTE_MS } from '../../kernel/time'
import { chunksOf } from '../../kernel/work/chunks'
import { MARKER_STAYS, nullOnTrackerError, toOutcome } from '../services/change-result'
import type { HttpResponse } from '../services/requests/http-client'
import { TrackerError } from '../services/requests/tracker-error'
import { createVerificationSignal } from '../services/requests/verification-signal'
import type { CreationOutcome, MarkerRemoval, NewItem, TrackerItem } from '../tracker'
import { fieldNames } from './field-values'
import { type AdapterParts, selectWireItems } from './item-reader'
import { toRelation } from './relations'
import { queryIds, quoteText } from './run-query'
import { createPatchOperation, PATCH_CONTENT_TYPE, parseChangeResult, singleUpdate } from './update-requests'
import { buildProjectPath } from './urls'
import { WireItem } from './wire-schemas'

/** How far the clocks may differ: an item that was created this long before it was sent is still found by its marker. */
const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS
/** A query that finds more is an error of the tracker. */
const MAX_CANDIDATES = 19_999

/**
 * Sends the new item with a hyperlink as its marker. A creation carries no revision that the tracker could test, so after a lost response
 * it is sent again only if the tracker answered that it is unavailable, and no item has the marker.
 */
export async function createItem(
  item: NewItem,
  { signal, validateOnly = false }: { signal: AbortSignal; validateOnly?: boolean },
  parts: AdapterParts,
): Promise<CreationOutcome> {
  const { client } = parts
  const request = await buildRequest(item, { signal, validateOnly }, parts)
  for (let attempt = 1; ; attempt += 1) {
    const { response, error } = await client.write(request, signal).catch((error: unknown) => {
      if (!(error instanceof TrackerError) || error.effect === 'none') throw error
      return { response: null, error }
    })
    const isJudged = error === null || (response !== null && response.status >= 400 && !isSenderError(error.code))
    if (response !== null && isJudged) {
      const outcome = await readOutcome(response, { signal, validateOnly }, parts)
      if (outcome !== null) return outcome
    } else if (error!.effect === 'none') throw error
    const message = error?.message ?? `The tracker answered HTTP ${response?.status}.`
    if (validateOnly) return { status: 'rejected', message, code: 'tracker_answer' }
    const found = await findAfterLostResponse(item, signal, parts)
    if (found === undefined) return { status: 'unknown', message }
    if (found !== null) return { status: 'created', id: found.id, item: found }
    if (response?.status !== 503 || attempt >= client.limits.maxAttempts) return { status: 'unknown', message }
    await client.pause(attempt, signal)
  }
}

async function buildRequest(
  { type, fields, parentId, marker }: NewItem,
  { signal, validateOnly }: { signal: AbortSignal; validateOnly: boolean },
  { address, project }: AdapterParts,
) {
  const relations = [
    { rel: 'Hyperlink', url: buildMarkerUrl(marker), attributes: { comment: MARKER_COMMENT } },
    ...(parentId === null ? [] : [toRelation({ kind: 'parent', id: parentId }, address.base)]),
  ]
  return {
    method: 'POST',
    path: buildProjectPath(await project.get(signal), `_apis/wit/workitems/$${encodeURIComponent(type)}`),
    query: { $expand: 'relations', ...(validateOnly ? { validateOnly: 'true' } : {}) },
    contentType: PATCH_CONTENT_TYPE,
    body: [
      ...Object.entries(fields).map(([name, value]) => createPatchOperation(name, value)),
      ...relations.map((value) => ({ op: 'add', path: '/relations/-', value })),
    ],
  } as const
}

function isSenderError(code: ErrorCode): boolean {
  return singleUpdate.senderErrors.has(code)
}

/** The host can never exist, so the link leads nowhere if it is not removed. */
function buildMarkerUrl(marker: string): string {
  return `https://story-studio.invalid/created/${marker}`
}

export function isMarkerUrl(url: string): boolean {
  return url.startsWith(buildMarkerUrl(''))
}

const MARKER_COMMENT = 'Identifies the creation of this item. It can be removed.'

/** Null if the tracker failed, so that the item may exist. */
async function readOutcome(
  response: HttpResponse,
  { signal, validateOnly }: { signal: AbortSignal; validateOnly: boolean },
  { client, reader }: AdapterParts,
): Promise<CreationOutcome | null> {
  const result = parseChangeResult(response.status, response.json)
  if (result.kind === 'failed' || result.kind === 'notProcessed') return null
  if (result.kind === 'conflict') return { status: 'rejected', message: result.message }
  if (result.kind === 'rejected') return toOutcome(result)
  if (validateOnly) return { status: 'created', id: null, item: null }
  const { wire } = result
  if (wire === null) return null
  const verification = createVerificationSignal(signal, client.limits)
  const [item = null] = await reader.mapItems([wire], verification).catch(ignoreTrackerError)
  return { status: 'created', id: wire.id, item }
}

/** Undefined if the tracker cannot be asked either. */
async function findAfterLostResponse(item: NewItem, signal: AbortSignal, parts: AdapterParts) {
  const verification = createVerificationSignal(signal, parts.client.limits)
  return findCreatedItem(item, verification, parts).catch((error: unknown) => {
    if (error instanceof TrackerError) return undefined
    throw error
  })
}

/** A query cannot search for the address of a link, so the items that the caller has created since then are read, the oldest first. */
export async function findCreatedItem(
  { type, marker, startedAt }: NewItem,
  signal: AbortSignal,
  parts: AdapterParts,
): Promise<TrackerItem | null> {
  const { client, reader } = parts
  const since = new Date((client.toTrackerTime(startedAt) ?? startedAt) - CLOCK_TOLERANCE_MS).toISOString()
  const conditions = [
    '[System.TeamProject] = @project',
    `[${fieldNames.type}] = ${quoteText(type)}`,
    '[System.CreatedBy] = @Me',
    `[${fieldNames.createdDate}] >= ${quoteText(since)}`,
  ]
  const query = `SELECT [System.Id] FROM WorkItems WHERE ${conditions.join(' AND ')} ORDER BY [${fieldNames.createdDate}] ASC`
  const ids = await queryIds(query, parts, signal, { $top: MAX_CANDIDATES, timePrecision: 'true' })
  for (const chunk of chunksOf(ids, client.limits.batchSize)) {
    const found = selectWireItems(await reader.readWireItems(chunk, signal)).find(
      (wire) => findMarkerIndex(wire, marker) >= 0,
    )
    if (found) return (await reader.mapItems([found], signal))[0]!
  }
  return null
}

export async function removeMarker(
  id: number,
  marker: string,
  signal: AbortSignal,
  { client, reader }: AdapterParts,
): Promise<MarkerRemoval> {
  const read = await nullOnTrackerError(reader.readWireItems([id], signal))
  if (read === null) return MARKER_STAYS
  const [wire] = selectWireItems(read)
  const index = wire ? findMarkerIndex(wire, marker) : -1
  if (!wire || index < 0) return { isGone: true, item: null }
  const request = {
    method: 'PATCH',
    path: `/_apis/wit/workitems/${id}`,
    query: { $expand: 'relations' },
    contentType: PATCH_CONTENT_TYPE,
    body: [
      { op: 'test', path: '/rev', value: wire.rev },
      { op: 'remove', path: `/relations/${index}` },
    ],
  } as const
  const result = await client.write(request, signal).catch(ignoreTrackerError)
  const changed = 'response' in result && result.error === null ? WireItem.safeParse(result.response.json) : null
  if (!changed?.success) return MARKER_STAYS
  const [item = null] = await reader.mapItems([changed.data], signal).catch(ignoreTrackerError)
  return { isGone: true, item }
}

function findMarkerIndex({ relations }: WireItem, marker: string): number {
  const url = buildMarkerUrl(marker)
  return (relations ?? []).findIndex((relation) => relation.rel === 'Hyperlink' && relation.url === url)
}

function ignoreTrackerError(error: unknown): never[] {
  if (error instanceof TrackerError) return []
  throw error
}
