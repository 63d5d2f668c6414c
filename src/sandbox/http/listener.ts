import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createErrorResponse, WireError, type WireRequest, type WireResponse } from '../wire/response'
import { dispatch, type Site } from './dispatch'

const MAX_BODY_BYTES = 16 * 1024 * 1024

/** A request that was read completely, and the means to answer it. */
export interface Exchange {
  request: WireRequest
  incoming: IncomingMessage
  response: ServerResponse
  /** Carries out this or another request. */
  dispatch(request: WireRequest): Promise<WireResponse>
}

/** Answers requests of the site: by carrying them out, or as `answer` does. */
export function createListener(site: Site, answer = answerRequest): RequestListener {
  return (incoming, response) => {
    void serve(incoming, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else sendAnswer(response, createErrorResponse(error))
    })
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = incoming
    const bytes = await readBody(incoming)
    const isFile = headers['content-type']?.startsWith('application/octet-stream') === true
    const request = { method, url, headers, body: isFile ? '' : bytes.toString('utf8'), bytes }
    await answer({ request, incoming, response, dispatch: (one) => dispatch(one, site) })
  }
}

async function answerRequest({ request, response, dispatch }: Exchange): Promise<void> {
  sendAnswer(response, await dispatch(request))
}

/** Reads a body to its end even if it is too large, so that the client can receive the error. */
async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (size > MAX_BODY_BYTES) throw new WireError(413, 'RequestTooLargeException', 'The request is too large.')
  return Buffer.concat(chunks)
}

function sendAnswer(response: ServerResponse, answer: WireResponse): void {
  writeHead(response, answer).end(answer.content ?? answer.body)
}

/** Sends the status and the headers. */
export function writeHead(response: ServerResponse, { status, headers, body, content }: WireResponse): ServerResponse {
  return response.writeHead(status, {
    ...headers,
    ...(status !== 204 && { 'content-length': content?.length ?? Buffer.byteLength(body) }),
    'cache-control': 'no-cache, no-store',
    'x-content-type-options': 'nosniff',
  })
}
