import { isRecord, parseJson } from '../../kernel/json'
import { checkEntryCount, type EndpointCall, parseBody } from '../http/endpoint'
import { createBadRequestError } from '../wire/response'

/** Runs the parts one after another. Each has its own result. */
export function runBatch(call: EndpointCall) {
  const parts = parseBody(call)
  if (!Array.isArray(parts) || parts.length === 0)
    throw createBadRequestError('Value cannot be null. Parameter name: requests')
  checkEntryCount(parts.length)
  return parts.map((part) => runPart(part, call))
}

function runPart(part: unknown, call: EndpointCall) {
  const { method, uri, headers, body } = isRecord(part) ? part : {}
  if (typeof method !== 'string' || typeof uri !== 'string')
    return createBatchError(400, 'A request of a batch needs method and uri.')
  const answer = call.runInner({
    method: method.toUpperCase(),
    url: uri,
    headers: { 'content-type': findContentType(headers) },
    body: typeof body === 'string' ? body : JSON.stringify(body ?? null),
  })
  return answer.status >= 400
    ? createBatchError(answer.status, String((parseJson(answer.body) as { message?: unknown }).message))
    : createBatchEntry(answer.status, answer.body)
}

function findContentType(headers: unknown): string {
  const found = Object.entries(isRecord(headers) ? headers : {}).find(([name]) => name.toLowerCase() === 'content-type')
  return String(found?.[1] ?? '')
}

/** The answer to one request of a batch. `body` is JSON. */
function createBatchEntry(code: number, body: string) {
  return { code, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body }
}

export function createBatchError(code: number, message: string) {
  return createBatchEntry(code, JSON.stringify({ count: 1, value: { Message: message } }))
}
