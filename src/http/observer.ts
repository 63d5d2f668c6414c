import type { ServerResponse } from 'node:http'
import type { Log } from '../kernel'
import type { Call } from './call'

/** What became of a call, told when its last byte has left or its caller has. */
export interface Outcome {
  status: number
  durationMs: number
  /** True where the caller left before the end. */
  aborted: boolean
}

export interface Observer {
  begun?(): void
  ended(call: Call, outcome: Outcome): void
}

/** Tells the observers of a call, from here to the end of its answer. */
export function observe(observers: readonly Observer[], call: Call, outgoing: ServerResponse): void {
  if (observers.length === 0) return
  const startedAt = performance.now()
  for (const observer of observers) observer.begun?.()
  outgoing.once('close', () => {
    const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000
    const outcome = { status: outgoing.statusCode, durationMs, aborted: !outgoing.writableFinished }
    for (const observer of observers) observer.ended(call, outcome)
  })
}

/** A line a request. Headers, queries and bodies are never written: what is not there need not be taken out. */
export function requestLog(log: Log): Observer {
  return {
    ended(call, { status, durationMs, aborted }) {
      const { requestId, method, path, route, peer, caller, code } = call
      const facts = {
        requestId,
        method,
        path,
        route,
        status,
        durationMs,
        peer,
        caller,
        code: code ?? undefined,
        aborted: aborted || undefined,
      }
      if (status >= 500) log.warn('request', facts)
      else log.info('request', facts)
    },
  }
}
