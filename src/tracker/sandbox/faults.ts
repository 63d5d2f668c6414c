import { type Answer, refusalAnswer } from './wire/answer'
import { bulkAnswer, bulkRefusal, spoiled } from './wire/bulk'
import { Refusal } from './wire/refusal'

/** What a fault is chosen by. */
export interface FaultedRequest {
  method: string
  /** Path and query as they came. */
  path: string
  body: string
  /** From 1, over all requests to this sandbox. */
  nth: number
}

/** What goes wrong with one request. Members combine: `{ ...retryAfter(2), ...cut(100) }`. */
export interface Fault {
  /** Answered in place of the true answer; the request is not carried out. */
  answer?(request: Omit<FaultedRequest, 'nth'>): Answer
  /** The connection is reset: before the request is carried out, or after it, when the answer is due. */
  reset?: 'before' | 'after'
  /** Changes the true answer. */
  edit?(answer: Answer): Answer
  /** Headers that are added to the answer. */
  headers?: Record<string, string>
  /** No byte of the answer goes out before this resolves. */
  hold?(): Promise<unknown>
  /** The body ends after so many bytes: the connection is closed (`cut`), or stays open without another byte (`silence`). */
  bodyEnds?: { after: number; by: 'cut' | 'silence' }
  /** One bad request of a bulk spoils the whole of it. */
  atomicBulk?: true
}

export interface FaultRule {
  /** Absent: any method. */
  method?: string
  /** Of path and query; absent: any. */
  path?: RegExp
  /** Only the nth request that matches, from 1; absent: every one. */
  nth?: number
  fault: Fault
}

/** Rules, of which the first that applies is taken, or a function that chooses. */
export type FaultPlan = readonly FaultRule[] | ((request: FaultedRequest) => Fault | null)

export function faultChooser(plan: FaultPlan): (request: FaultedRequest) => Fault | null {
  if (typeof plan === 'function') return plan
  const counts = plan.map(() => 0)
  return (request) => {
    const applying = plan.filter((rule, at) => {
      if (rule.method && rule.method.toUpperCase() !== request.method) return false
      if (rule.path && !rule.path.test(request.path)) return false
      counts[at]! += 1
      return rule.nth === undefined || rule.nth === counts[at]
    })
    return applying[0]?.fault ?? null
  }
}

/** 203 and a page, as a token that expired is answered. */
export function signInPage(status = 203): Fault {
  const body = '<!DOCTYPE html><html><head><title>Sign In</title></head><body>Sign in to your account</body></html>'
  return { answer: () => ({ status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }) }
}

export function redirectToSignIn(): Fault {
  return { answer: () => ({ status: 302, headers: { location: '/_signin?realm=sandbox' }, body: '' }) }
}

export function unauthorized(): Fault {
  return refused(
    401,
    'UnauthorizedRequestException',
    "TF400813: The user 'anonymous' is not authorized to access this resource.",
  )
}

/** A body that tells of missing rights; some servers send it with a 200. */
export function accessCheck(status = 403): Fault {
  return refused(status, 'AccessCheckException', 'Access denied: the token lacks the scope that this call needs.')
}

/** 429: the caller is blocked for so many seconds. */
export function throttled(seconds: number): Fault {
  return {
    ...refused(
      429,
      'RequestBlockedException',
      'TF400733: The request has been canceled: Request was blocked due to exceeding usage of resource.',
    ),
    ...retryAfter(seconds),
  }
}

/** The true answer with a plea to slow down. */
export function retryAfter(seconds: number): Fault {
  return { headers: { 'retry-after': String(seconds), 'x-ratelimit-remaining': '0' } }
}

export function unavailable(): Fault {
  const body = '<html><body><h1>Service Unavailable</h1></body></html>'
  return { answer: () => ({ status: 503, headers: { 'content-type': 'text/html' }, body }) }
}

/** A refusal in the tracker's own form: `refused(409, 'WorkItemRevisionMismatchException', 'TF26071: …')`. */
export function refused(status: number, typeKey: string, message: string): Fault {
  return { answer: () => refusalAnswer(new Refusal(status, typeKey, message)) }
}

export function resetBefore(): Fault {
  return { reset: 'before' }
}

/** The request is carried out, and the caller never hears of it. */
export function resetAfter(): Fault {
  return { reset: 'after' }
}

export function cut(after: number): Fault {
  return { bodyEnds: { after, by: 'cut' } }
}

export function stall(after = 0): Fault {
  return { bodyEnds: { after, by: 'silence' } }
}

export function held(until: () => Promise<unknown>): Fault {
  return { hold: until }
}

/** Puts a null before every entry of a list. */
export function nullEntries(): Fault {
  return {
    edit(answer) {
      const list = JSON.parse(answer.body) as { value: unknown[] }
      const value = list.value.flatMap((entry) => [null, entry])
      return { ...answer, body: JSON.stringify({ count: value.length, value }) }
    },
  }
}

/** A bulk of which nothing is applied when one part is refused. */
export function atomicBulk(): Fault {
  return { atomicBulk: true }
}

/** A bulk that fails as a whole: one part is said to be at fault, the rest to have failed with it. Nothing is carried out. */
export function wholeBulkFailed(at = 0): Fault {
  return {
    answer: ({ body }) => {
      const parts = JSON.parse(body) as unknown[]
      return bulkAnswer(
        parts.map((_, index) => (index === at ? bulkRefusal(400, 'Relation already exists.') : spoiled)),
      )
    },
  }
}
