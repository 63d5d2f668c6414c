import type { Exchange, WireResponse } from '../../src/sandbox'
import { createBatchError } from '../../src/sandbox/endpoints/batch'
import { createErrorResponse, createResponse, WireError } from '../../src/sandbox/wire/response'

/** An error that is simulated for one request. Members can be combined: `{ ...addRetryAfter(2), ...cutAfter(100) }`. */
export interface Fault {
  /** Replaces the real answer; the request is not executed. */
  respond?(exchange: Exchange): WireResponse | Promise<WireResponse>
  /** Resets the connection before the request is executed, or after it in place of the answer. */
  reset?: 'before' | 'after'
  /** Modifies the real answer. */
  editResponse?(answer: WireResponse): WireResponse
  /** Headers that are added to the answer. */
  headers?: Record<string, string>
  /** Delays the answer until this resolves. */
  hold?(): Promise<unknown>
  /** Ends the body after this many bytes: the connection is closed (`cut`) or stays open without further bytes (`silence`). */
  truncateBody?: { after: number; by: 'cut' | 'silence' }
}

interface FaultedRequest {
  method: string
  /** Path and query as they came. */
  path: string
  body: string
  /** From 1, over all requests to this sandbox. */
  nth: number
}

/** Chooses what goes wrong with a request. */
export type FaultPlan = (request: FaultedRequest) => Fault | null

export interface FaultRule {
  /** Default: any method. */
  method?: string
  /** Matches path and query (default: any). */
  path?: RegExp
  /** Only the nth matching request, from 1 (default: every request). */
  nth?: number
  fault: Fault
}

/** Rules, of which the first match applies, or a plan. */
export type Faults = readonly FaultRule[] | FaultPlan

export function planFaults(faults: Faults): FaultPlan {
  if (typeof faults === 'function') return faults
  const counts = faults.map(() => 0)
  return (request) => {
    const matching = faults.filter((rule, at) => {
      if (rule.method && rule.method.toUpperCase() !== request.method) return false
      if (rule.path && !rule.path.test(request.path)) return false
      counts[at]! += 1
      return rule.nth === undefined || rule.nth === counts[at]
    })
    return matching[0]?.fault ?? null
  }
}

/** 203 and a page, which is the response to an expired token. */
export function respondSignInPage(status = 203): Fault {
  const body = '<!DOCTYPE html><html><head><title>Sign In</title></head><body>Sign in to your account</body></html>'
  return { respond: () => ({ status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }) }
}

export function redirectToSignIn(): Fault {
  return { respond: () => ({ status: 302, headers: { location: '/_signin?realm=sandbox' }, body: '' }) }
}

export function respondUnauthorized(): Fault {
  return refuseWith(
    401,
    'UnauthorizedRequestException',
    "TF400813: The user 'anonymous' is not authorized to access this resource.",
  )
}

/** A body about missing permissions, which some servers send with status 200. */
export function respondAccessCheck(status = 403): Fault {
  return refuseWith(status, 'AccessCheckException', 'Access denied: the token lacks the scope that this call needs.')
}

/** 429 with Retry-After. */
export function throttle(seconds: number): Fault {
  return {
    ...refuseWith(
      429,
      'RequestBlockedException',
      'TF400733: The request has been canceled: Request was blocked due to exceeding usage of resource.',
    ),
    ...addRetryAfter(seconds),
  }
}

/** The normal response with Retry-After. */
export function addRetryAfter(seconds: number): Fault {
  return { headers: { 'retry-after': String(seconds), 'x-ratelimit-remaining': '0' } }
}

export function respondUnavailable(): Fault {
  const body = '<html><body><h1>Service Unavailable</h1></body></html>'
  return { respond: () => ({ status: 503, headers: { 'content-type': 'text/html' }, body }) }
}

/** An error in the format of the tracker: `refuseWith(409, 'WorkItemRevisionMismatchException', 'TF26071: …')`. */
export function refuseWith(status: number, typeKey: string, message: string): Fault {
  return { respond: () => createErrorResponse(new WireError(status, typeKey, message)) }
}

export function resetBefore(): Fault {
  return { reset: 'before' }
}

/** Processes the request and resets the connection without a response. */
export function resetAfter(): Fault {
  return { reset: 'after' }
}

export function cutAfter(after: number): Fault {
  return { truncateBody: { after, by: 'cut' } }
}

export function stallAfter(after = 0): Fault {
  return { truncateBody: { after, by: 'silence' } }
}

export function holdUntil(until: () => Promise<unknown>): Fault {
  return { hold: until }
}

/** Inserts a null before every entry of a list. */
export function insertNullEntries(): Fault {
  return {
    editResponse(answer) {
      if (answer.status !== 200) return answer
      const list = JSON.parse(answer.body) as { value: unknown[] }
      const value = list.value.flatMap((entry) => [null, entry])
      return { ...answer, body: JSON.stringify({ count: value.length, value }) }
    },
  }
}

/** A batch that applies nothing if one part is rejected: that part has 400, the others have 500. */
export function failBatchAtomically(): Fault {
  return {
    async respond({ request, dispatch }) {
      const parts = JSON.parse(request.body) as { uri: string }[]
      const rehearsed = parts.map((part) => ({ ...part, uri: `${part.uri}&validateOnly=true` }))
      const rehearsal = await dispatch({ ...request, body: JSON.stringify(rehearsed) })
      const entries = (JSON.parse(rehearsal.body) as { value: { code: number }[] }).value
      const failed = entries.findIndex(({ code }) => code >= 400)
      if (failed < 0) return dispatch(request)
      return createResponse(entries.map((entry, at) => (at === failed ? { ...entry, code: 400 } : FAILED_WITH_BATCH)))
    },
  }
}

/** A part that failed because another part of its batch failed. */
const FAILED_WITH_BATCH = createBatchError(500, 'TF401321: Whole Bulk failed.')

/** A batch that fails as a whole because of one part. Nothing is applied. */
export function failWholeBatch(at = 0): Fault {
  return {
    respond: ({ request }) => {
      const parts = JSON.parse(request.body) as unknown[]
      return createResponse(
        parts.map((_, index) => (index === at ? createBatchError(400, 'Relation already exists.') : FAILED_WITH_BATCH)),
      )
    },
  }
}
