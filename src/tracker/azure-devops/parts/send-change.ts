import { type ChangeResult, readChangeResult, toFailedResult } from '../../services/change-result'
import type { HttpRequest } from '../../services/requests/http-client'
import type { AdapterParts } from '../item-reader'
import { parseChangeResult, singleUpdate } from '../update-requests'

/** Sends a request that changes something of one item, once. `done` has the JSON of the response; undefined if it has none. */
export function sendChange(
  request: HttpRequest,
  { client }: Pick<AdapterParts, 'client'>,
  signal: AbortSignal,
): Promise<ChangeResult<unknown>> {
  return readChangeResult<unknown>(client.write(request, signal), ({ status, json }, error) => {
    const isAnswer = error === null || status >= 400
    if (!isAnswer || (error !== null && singleUpdate.senderErrors.has(error.code))) return toFailedResult(error!)
    const result = parseChangeResult(status, json)
    switch (result.kind) {
      case 'applied':
        return { kind: 'done', data: json }
      case 'rejected':
        return result
      case 'conflict':
        return { kind: 'rejected', message: result.message }
      default:
        return { kind: 'unknown', message: result.message }
    }
  })
}
