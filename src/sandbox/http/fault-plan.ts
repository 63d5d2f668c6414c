import type { WireResponse } from '../wire/response'

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
  respond?(request: Omit<FaultedRequest, 'nth'>): WireResponse
  /** The connection is reset: before the request is carried out, or after it, when the answer is due. */
  reset?: 'before' | 'after'
  /** Changes the true answer. */
  editResponse?(answer: WireResponse): WireResponse
  /** Headers that are added to the answer. */
  headers?: Record<string, string>
  /** No byte of the answer goes out before this resolves. */
  hold?(): Promise<unknown>
  /** The body ends after so many bytes: the connection is closed (`cut`), or stays open without another byte (`silence`). */
  truncateBody?: { after: number; by: 'cut' | 'silence' }
  /** One bad request of a bulk spoils the whole of it. */
  isBatchAtomic?: true
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

export function createFaultChooser(plan: FaultPlan): (request: FaultedRequest) => Fault | null {
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
