import type { Fault, FaultPlan } from '../../src/sandbox'
import { createBatchError, createBatchResponse, FAILED_WITH_BATCH } from '../../src/sandbox/endpoints/batch'
import { createErrorResponse, WireError } from '../../src/sandbox/wire/response'

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

/** A batch that applies nothing if one part is rejected. */
export function failBatchAtomically(): Fault {
  return { isBatchAtomic: true }
}

/** A batch that fails as a whole because of one part. Nothing is applied. */
export function failWholeBatch(at = 0): Fault {
  return {
    respond: ({ body }) => {
      const parts = JSON.parse(body) as unknown[]
      return createBatchResponse(
        parts.map((_, index) => (index === at ? createBatchError(400, 'Relation already exists.') : FAILED_WITH_BATCH)),
      )
    },
  }
}
