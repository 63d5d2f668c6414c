import { type Endpoint, type EndpointCall, parseBody } from '../http/endpoint'
import { createBadRequestError, createJsonResponse, type WireResponse } from '../wire/response'

const MAX_BATCH_PARTS = 200

export const batchEndpoints: readonly Endpoint[] = [
  { method: 'PATCH', path: '_apis/wit/$batch', isWrite: true, run: runBatch },
]

/** Runs the parts one after another. An atomic batch undoes all of them if one fails. */
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
  const failed = entries.findIndex((entry) => entry.code >= 400)
  if (!undo || failed < 0) return createBatchResponse(entries)
  undo()
  return createBatchResponse(entries.map((entry, at) => (at === failed ? { ...entry, code: 400 } : FAILED_WITH_BATCH)))
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

/** The answer to one request of a batch. */
interface BatchEntry {
  code: number
  headers: Record<string, string>
  /** JSON. */
  body: string
}

export function createBatchResponse(entries: readonly BatchEntry[]): WireResponse {
  return createJsonResponse({ count: entries.length, value: entries })
}

export function createBatchError(code: number, message: string): BatchEntry {
  return {
    code,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ count: 1, value: { Message: message } }),
  }
}

/** A part that failed because another part of its batch failed. */
export const FAILED_WITH_BATCH: BatchEntry = createBatchError(500, 'TF401321: Whole Bulk failed.')
