import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { StudioError } from '../../kernel'
import { createErrorResponse, WireError, type WireResponse } from '../wire/response'
import { dispatch, type Site, type WireRequest } from './dispatch'

const MAX_BODY_BYTES = 16 * 1024 * 1024
const REQUEST_TOO_LARGE = new WireError(413, 'RequestTooLargeException', 'The request is too large.')

/** A received request, for tests. */
export interface RequestRecord {
  method: string
  /** Path and query as they came. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
  /** Null where no answer was sent. */
  status: number | null
}

interface ListenerHooks {
  /** Called once the request is read. */
  chooseFault(request: WireRequest): Fault | null
  recordRequest(record: RequestRecord): void
}

/** Answers requests of the site, with the faults that the hooks choose. */
export function createListener(site: Site, hooks: ListenerHooks): RequestListener {
  return (incoming, response) => {
    void serve(incoming, response, site, hooks).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else send(response, createFailureResponse(error), null)
    })
  }
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  site: Site,
  hooks: ListenerHooks,
): Promise<void> {
  const body = await readBody(incoming)
  const { method = 'GET', url = '/', headers } = incoming
  if (body === null) return send(response, createErrorResponse(REQUEST_TOO_LARGE), null)

  const request = { method, url, headers, body }
  const fault = hooks.chooseFault(request)
  const record: RequestRecord = { method, path: url, headers, body, status: null }
  hooks.recordRequest(record)
  if (fault?.reset === 'before') return resetConnection(incoming)
  const carriedOut = fault?.respond
    ? fault.respond({ method, path: url, body })
    : await dispatch(request, site, fault?.isBatchAtomic ?? false).catch(createFailureResponse)
  const answer = fault?.editResponse ? fault.editResponse(carriedOut) : carriedOut
  await fault?.hold?.()
  if (fault?.reset === 'after') return resetConnection(incoming)
  record.status = answer.status
  send(response, { ...answer, headers: { ...answer.headers, ...fault?.headers } }, fault)
}

/** Null if the body is too large. */
async function readBody(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return size > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}

/** The client gets ECONNRESET. */
function resetConnection(incoming: IncomingMessage): void {
  incoming.socket.resetAndDestroy()
}

function send(response: ServerResponse, answer: WireResponse, fault: Fault | null): void {
  const bytes = Buffer.from(answer.body, 'utf8')
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': bytes.length,
    'cache-control': 'no-cache, no-store',
    'x-content-type-options': 'nosniff',
  })
  if (!fault?.truncateBody) return void response.end(bytes)
  const { after, by } = fault.truncateBody
  response.flushHeaders()
  response.write(bytes.subarray(0, after), () => {
    if (by === 'cut') response.destroy()
  })
}

/** An internal error of the sandbox, without details. */
function createFailureResponse(error: unknown): WireResponse {
  if (error instanceof StudioError)
    return createErrorResponse(new WireError(503, 'SandboxUnavailableException', error.message))
  return createErrorResponse(new WireError(500, 'SandboxFailureException', 'The sandbox itself failed.'))
}

export interface FaultedRequest {
  method: string
  /** Path and query as they came. */
  path: string
  body: string
  /** From 1, over all requests to this sandbox. */
  nth: number
}

/** An error that is simulated for one request. Members can be combined: `{ ...addRetryAfter(2), ...cutAfter(100) }`. */
export interface Fault {
  /** Replaces the real answer; the request is not executed. */
  respond?(request: Omit<FaultedRequest, 'nth'>): WireResponse
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
  /** One failed request of a batch fails the whole batch. */
  isBatchAtomic?: true
}

/** Chooses what goes wrong with a request. */
export type FaultPlan = (request: FaultedRequest) => Fault | null
