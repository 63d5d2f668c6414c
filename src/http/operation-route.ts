import { type AnyOperation, authorize, execute, executePage, mapErrorFields, StudioError } from '../kernel'
import { fileResponse, isFileAnswer } from './answers/file-response'
import { jsonResponse } from './answers/response-body'
import { runCacheable } from './answers/response-cache'
import type { AppContext, AppHandler } from './app-env'
import type { AppOptions } from './app-options'
import type { Idempotency } from './idempotency'
import { openCall } from './operation-call'
import {
  CURSOR_SOURCE,
  createPageHeaders,
  createReferenceHint,
  readInput,
  requireMediaType,
  requireWireNames,
  wireNamesOf,
} from './read-request'

export interface RouteOptions extends AppOptions {
  idempotency: Idempotency
}

/** Runs an operation for a request. */
export function handlerFor(op: AnyOperation, options: RouteOptions): AppHandler {
  const { caller, cache, stopping, idempotency } = options
  const { cacheable: isCacheable, cacheForMs } = op.http!
  return async (c) => {
    const { call } = c.env
    const actor = authorizeRequest(op, c, caller)
    const sources = [c.req.raw.signal, stopping]
    const { context, endTurn, done } = await openCall(op, call, options, { actor, sources })
    const { signal } = context
    try {
      if (op.http!.method !== 'get') {
        const { answer, headers } = await idempotency(c, { op, actor }, async (db) => {
          // What a preview writes and takes back is not the answer that a repeated request gets.
          // That of several transactions is stored after the last one.
          const own = op.http!.inParts ? context : { ...context, db, forPreviews: { db: context.db } }
          return execute(op, (await readInput(op, c)).input, own) as Promise<object>
        })
        // What was changed stays changed, so its caller gets the answer, however long it takes to write.
        return await jsonResponse(c, op, answer, { signal: new AbortController().signal, more: headers })
      }
      const { input, page } = await readInput(op, c)
      const runRead = <R>(read: () => Promise<R>) => (isCacheable?.(input) ? runCacheable(call, cache, read) : read())
      if (cacheForMs !== undefined) call.validity = { forMs: cacheForMs }
      if (page === null) {
        const answer = await runRead(() => execute(op, input, context))
        return isFileAnswer(op, answer) ? fileResponse(c, answer) : await jsonResponse(c, op, answer, { signal })
      }
      const list = await runRead(() => executePage(op, { input, source: CURSOR_SOURCE }, context, page))
      return await jsonResponse(c, op, list.entries, { signal, more: createPageHeaders(list, page) })
    } catch (error) {
      throw toWireNames(op, error)
    } finally {
      endTurn()
      // Until it was sent, the answer takes memory.
      if (c.env.outgoing.closed) done()
      else c.env.outgoing.once('close', done)
    }
  }
}

/** Refuses a caller before its input, so that only a caller who may call the operation learns what is wrong with the input. */
export function authorizeRequest(op: AnyOperation, c: AppContext, caller: AppOptions['caller']) {
  requireMediaType(op, c)
  const actor = caller.actorFor(c.env.call, op.access)
  authorize(op, actor)
  requireWireNames(op, c)
  return actor
}

/** An error names a field as it was sent: `facility_id`, not `facilityId`. */
export function toWireNames(op: AnyOperation, error: unknown): unknown {
  if (!(error instanceof StudioError)) return error
  const names = new Map(Object.entries(wireNamesOf(op)))
  return mapErrorFields(error, { nameOf: (path) => names.get(path) ?? path, hint: createReferenceHint(op) })
}
