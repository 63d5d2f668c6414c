import { type Call, type Endpoint, parseBody } from '../http/call'
import type { Answer } from '../wire/answer'
import { type BulkEntry, bulkAnswer, bulkRefusal, spoiled } from '../wire/bulk'
import { badRequest } from '../wire/refusal'

const MOST_PARTS = 200

/** Many changes in one call. */
export const bulkEndpoints: readonly Endpoint[] = [
  { method: 'PATCH', path: '_apis/wit/$batch', changes: true, run: runBulk },
  { method: 'POST', path: '_apis/wit/$batch', changes: true, run: runBulk },
]

/** The parts are carried out one after another, each on its own; an atomic bulk undoes them all when one is refused. */
function runBulk(call: Call): Answer {
  const parts = parseBody(call)
  if (!Array.isArray(parts) || parts.length === 0) throw badRequest('Value cannot be null. Parameter name: requests')
  if (parts.length > MOST_PARTS) {
    throw badRequest(`VS403474: You requested ${parts.length} work items which exceeds the limit of ${MOST_PARTS}.`)
  }
  const undo = call.atomicBulk ? call.world.checkpoint() : null
  const entries = parts.map((part) => runPart(part, call))
  const refused = entries.findIndex((entry) => entry.code >= 400)
  if (!undo || refused < 0) return bulkAnswer(entries)
  undo()
  return bulkAnswer(entries.map((entry, at) => (at === refused ? { ...entry, code: 400 } : spoiled)))
}

function runPart(part: unknown, call: Call): BulkEntry {
  const { method, uri, headers, body } = (part ?? {}) as Record<string, unknown>
  if (typeof method !== 'string' || typeof uri !== 'string')
    return bulkRefusal(400, 'A request of a batch needs method and uri.')
  const answer = call.inner({
    method: method.toUpperCase(),
    uri,
    contentType: contentTypeIn(headers),
    body: typeof body === 'string' ? body : JSON.stringify(body ?? null),
  })
  if (answer.status >= 400) return bulkRefusal(answer.status, messageOf(answer))
  return { code: answer.status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: answer.body }
}

function contentTypeIn(headers: unknown): string {
  const found = Object.entries((headers ?? {}) as Record<string, unknown>).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )
  return String(found?.[1] ?? '')
}

function messageOf(answer: Answer): string {
  return String((JSON.parse(answer.body) as { message?: unknown }).message)
}
