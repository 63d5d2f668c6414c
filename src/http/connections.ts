import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { StudioError } from '../kernel'
import { errorAnswer } from './error-answer'
import { readOneRequestAtATime } from './one-request-at-a-time'

export interface Patience {
  headersMs: number
  /** From its first byte to its last; what we do then has a limit of its own. */
  requestMs: number
  idleMs: number
  /** How often Node looks for what is late. */
  lookEveryMs: number
  /** For calls under way when the server stops. */
  graceMs: number
}

/** A query of 10,000 characters is in the first line, where a character takes up to nine bytes. */
const MOST_HEADER_BYTES = 128 * 1024

const usual: Patience = { headersMs: 10_000, requestMs: 30_000, idleMs: 60_000, lookEveryMs: 1_000, graceMs: 5_000 }

export interface Connections {
  server: Server
  /** Takes no more calls, and resolves when those under way are answered. */
  close(stopping: AbortController): Promise<void>
}

/** The server of Node with limits on how long anybody may take, and an error body also for what is no HTTP. */
export function openConnections(listener: RequestListener, patience: Patience = usual): Connections {
  const underWay = new WeakMap<Socket, ServerResponse>()
  let isClosing = false
  const server = createServer(
    {
      headersTimeout: patience.headersMs,
      maxHeaderSize: MOST_HEADER_BYTES,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: patience.idleMs,
      connectionsCheckingInterval: patience.lookEveryMs,
      // The guard answers a call without a Host as it does one with a wrong one.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      const { socket } = incoming
      underWay.set(socket, outgoing)
      outgoing.once('close', () => {
        if (underWay.get(socket) === outgoing) underWay.delete(socket)
        if (isClosing) setImmediate(() => server.closeIdleConnections())
      })
      if (isClosing) outgoing.setHeader('Connection', 'close')
      listener(incoming, outgoing)
    },
  )
  readOneRequestAtATime(server)
  // One that waits for us may wait; one that neither sends nor takes anything may not.
  server.setTimeout(patience.idleMs, (socket) => {
    if (underWay.has(socket) && socket.writableLength === 0) socket.setTimeout(patience.idleMs)
    else socket.destroy()
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswered = underWay.get(socket as Socket)?.headersSent ?? false
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy()
    else void rawAnswer(error, patience).then((answer) => socket.end(answer, () => socket.destroy()))
  })
  return {
    server,
    close(stopping) {
      isClosing = true
      return closeGently(server, stopping, patience.graceMs)
    },
  }
}

/** An answer to what never became a request. */
async function rawAnswer(error: NodeJS.ErrnoException, patience: Patience): Promise<string> {
  const requestId = randomUUID()
  const { status, headers, body } = await errorAnswer(faultOf(error, patience), {
    requestId,
    accept: undefined,
    sentBearer: false,
    path: '',
  })
  const own = { ...headers, 'X-Request-Id': requestId, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

function faultOf({ code }: NodeJS.ErrnoException, { headersMs, requestMs }: Patience): StudioError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new StudioError(
      'headers_too_large',
      `The request line and headers are larger than ${MOST_HEADER_BYTES / 1024} KiB.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new StudioError('request_timeout', 'The request took too long to arrive.', {
      hint: `Send the headers within ${headersMs / 1000} seconds and all of it within ${requestMs / 1000}.`,
    })
  return new StudioError('invalid', 'This is not a request in the form of HTTP/1.1.')
}

/** No wish of the caller's, who may ask the next one that listens here. */
function stopped(): StudioError {
  return new StudioError('unavailable', 'The service stopped before the call was done.', {
    hint: 'See what was done before you send it again.',
    retryAfterSeconds: 1,
  })
}

/** For the answers that tell of the end to leave. */
const LAST_WORDS_MS = 500

/** Calls under way have a few seconds to end by themselves; then they are ended. */
function closeGently(server: Server, stopping: AbortController, graceMs: number): Promise<void> {
  const grace = setTimeout(() => {
    stopping.abort(stopped())
    setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS).unref()
  }, graceMs)
  return new Promise((resolve, reject) => {
    server.close((error) => {
      clearTimeout(grace)
      if (error) reject(error)
      else resolve()
    })
    server.closeIdleConnections()
  })
}
