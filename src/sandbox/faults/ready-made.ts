import { refusalAnswer } from '../wire/answer'
import { bulkAnswer, bulkRefusal, spoiled } from '../wire/bulk'
import { Refusal } from '../wire/refusal'
import type { Fault } from './plan'

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
      if (answer.status !== 200) return answer
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
