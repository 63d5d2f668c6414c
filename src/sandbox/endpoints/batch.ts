import { type Endpoint, type EndpointCall, parseBody } from '../http/endpoint'
import { type BatchEntry, createBatchError, createBatchResponse, FAILED_WITH_BATCH } from '../wire/batch-response'
import type { WireResponse } from '../wire/response'
import { createBadRequestError } from '../wire/wire-error'

const MAX_BATCH_PARTS = 200

/** Many changes in one call. */
export const batchEndpoints: readonly Endpoint[] = [
  { method: 'PATCH', path: '_apis/wit/$batch', isWrite: true, run: runBatch },
  { method: 'POST', path: '_apis/wit/$batch', isWrite: true, run: runBatch },
]

/** The parts are carried out one after another, each on its own; an atomic bulk undoes them all when one is refused. */
function runBatch(call: EndpointCall): WireResponse {
  const parts = parseBody(call)
  if (!Array.isArray(parts) || parts.length === 0)
    throw createBadRequestError('Value cannot be null. Parameter name: requests')
  if (parts.length > MAX_BATCH_PARTS) {
    throw createBadRequestError(
      `VS403474: You requested ${parts.length} work items which exceeds the limit of ${MAX_BATCH_PARTS}.`,
    )
  }
  const undo = call.isBatchAtomic ? call.model.checkpoint() : null
  const entries = parts.map((part) => runPart(part, call))
  const refused = entries.findIndex((entry) => entry.code >= 400)
  if (!undo || refused < 0) return createBatchResponse(entries)
  undo()
  return createBatchResponse(entries.map((entry, at) => (at === refused ? { ...entry, code: 400 } : FAILED_WITH_BATCH)))
}

function runPart(part: unknown, call: EndpointCall): BatchEntry {
  const { method, uri, headers, body } = (part ?? {}) as Record<string, unknown>
  if (typeof method !== 'string' || typeof uri !== 'string')
    return createBatchError(400, 'A request of a batch needs method and uri.')
  const answer = call.runInner({
    method: method.toUpperCase(),
    uri,
    contentType: findContentType(headers),
    body: typeof body === 'string' ? body : JSON.stringify(body ?? null),
  })
  if (answer.status >= 400) return createBatchError(answer.status, readMessage(answer))
  return { code: answer.status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: answer.body }
}

function findContentType(headers: unknown): string {
  const found = Object.entries((headers ?? {}) as Record<string, unknown>).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )
  return String(found?.[1] ?? '')
}

function readMessage(answer: WireResponse): string {
  return String((JSON.parse(answer.body) as { message?: unknown }).message)
}
