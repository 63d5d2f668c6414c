import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { StudioError } from '../../kernel'
import type { Fault } from '../faults/plan'
import { type Answer, refusalAnswer } from '../wire/answer'
import { Refusal } from '../wire/refusal'
import { dispatch, type Site, type WireRequest } from './dispatch'

const LARGEST_BODY = 16 * 1024 * 1024
const tooLarge = new Refusal(413, 'RequestTooLargeException', 'The request is too large.')

/** A request that came, for tests to look at. */
export interface RequestRecord {
  method: string
  /** Path and query as they came. */
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
  /** Null where no answer was sent. */
  status: number | null
}

export interface Hooks {
  /** Called once the request is read. */
  choose(request: WireRequest): Fault | null
  record(record: RequestRecord): void
}

/** Answers requests of the site, with the faults that the hooks choose. */
export function listener(site: Site, hooks: Hooks): RequestListener {
  return (incoming, response) => {
    void serve(incoming, response, site, hooks).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else send(response, failureAnswer(error), null)
    })
  }
}

async function serve(incoming: IncomingMessage, response: ServerResponse, site: Site, hooks: Hooks): Promise<void> {
  const body = await readBody(incoming)
  const { method = 'GET', url = '/', headers } = incoming
  if (body === null) return send(response, refusalAnswer(tooLarge), null)

  const request = { method, url, headers, body }
  const fault = hooks.choose(request)
  const record: RequestRecord = { method, path: url, headers, body, status: null }
  hooks.record(record)
  if (fault?.reset === 'before') return reset(incoming)
  const carriedOut = fault?.answer
    ? fault.answer({ method, path: url, body })
    : await dispatch(request, site, fault?.atomicBulk ?? false).catch(failureAnswer)
  const answer = fault?.edit ? fault.edit(carriedOut) : carriedOut
  await fault?.hold?.()
  if (fault?.reset === 'after') return reset(incoming)
  record.status = answer.status
  send(response, { ...answer, headers: { ...answer.headers, ...fault?.headers } }, fault)
}

/** Null for one that is too large. */
async function readBody(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= LARGEST_BODY) chunks.push(chunk)
  }
  return size > LARGEST_BODY ? null : Buffer.concat(chunks).toString('utf8')
}

/** The caller sees ECONNRESET. */
function reset(incoming: IncomingMessage): void {
  incoming.socket.resetAndDestroy()
}

function send(response: ServerResponse, answer: Answer, fault: Fault | null): void {
  const bytes = Buffer.from(answer.body, 'utf8')
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': bytes.length,
    'cache-control': 'no-cache, no-store',
    'x-content-type-options': 'nosniff',
  })
  if (!fault?.bodyEnds) return void response.end(bytes)
  const { after, by } = fault.bodyEnds
  response.flushHeaders()
  response.write(bytes.subarray(0, after), () => {
    if (by === 'cut') response.destroy()
  })
}

/** A fault of the sandbox itself, as far as a caller is told. */
function failureAnswer(error: unknown): Answer {
  if (error instanceof StudioError) return refusalAnswer(new Refusal(503, 'SandboxUnavailableException', error.message))
  return refusalAnswer(new Refusal(500, 'SandboxFailureException', 'The sandbox itself failed.'))
}
