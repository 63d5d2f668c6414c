import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { StudioError } from '../../kernel'
import { describeError } from '../answers/error-response'
import { type ConnectionLimits, limitConnections } from './connection-limit'
import { paceConnections } from './pipelining'

export interface Timeouts {
  headersMs: number
  /** From the first byte of a request to its last; the call itself has a timeout of its own. */
  requestMs: number
  idleMs: number
  /** How often Node looks for late connections. */
  checkEveryMs: number
  /** For calls in progress when the server stops. */
  gracePeriodMs: number
}

/** A query of 10,000 characters is in the first line, where a character takes up to nine bytes. */
const MAX_HEADER_BYTES = 128 * 1024

const defaults: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 60_000,
  checkEveryMs: 1_000,
  gracePeriodMs: 5_000,
}

export interface Connections {
  server: Server
  /** Accepts no more calls, and resolves when those in progress are answered. */
  close(stopping: AbortController): Promise<void>
}

/**
 * Node's server with timeouts for slow clients, and an error body for what is not HTTP. All of it concerns connections and bytes before
 * there is a request, so it cannot be middleware.
 */
export function openConnections(
  listener: RequestListener,
  limits: ConnectionLimits,
  timeouts: Timeouts = defaults,
): Connections {
  let isClosing = false
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.idleMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      // A call without a Host is refused in the same way as one with a wrong Host.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      paced.begin(incoming, outgoing)
      // A call that takes no body may bring one, which is not read: its connection ends with the response, so that it cannot go on sending.
      if (bringsUnreadBody(incoming)) outgoing.shouldKeepAlive = false
      if (isClosing) outgoing.setHeader('Connection', 'close')
      listener(incoming, outgoing)
    },
  )
  limitConnections(server, limits)
  const paced = paceConnections(server, () => {
    if (isClosing) setImmediate(() => server.closeIdleConnections())
  })
  // A connection that waits for our response may stay; one that neither sends nor reads may not.
  server.setTimeout(timeouts.idleMs, (socket) => {
    if (paced.findResponse(socket) !== null && socket.writableLength === 0) socket.setTimeout(timeouts.idleMs)
    else socket.destroy()
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswered = paced.findResponse(socket as Socket)?.headersSent ?? false
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) socket.destroy()
    else void formatRawError(error, timeouts).then((answer) => socket.end(answer, () => socket.destroy()))
  })
  return {
    server,
    close(stopping) {
      isClosing = true
      return closeGracefully(server, stopping, timeouts.gracePeriodMs)
    },
  }
}

function bringsUnreadBody({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The response to bytes that never became a request. */
async function formatRawError(error: NodeJS.ErrnoException, timeouts: Timeouts): Promise<string> {
  const requestId = randomUUID()
  const { status, headers, body } = await describeError(toStudioError(error, timeouts), {
    requestId,
    accept: undefined,
    hasCredential: false,
    path: '',
  })
  const own = { ...headers, 'X-Request-Id': requestId, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

function toStudioError({ code }: NodeJS.ErrnoException, { headersMs, requestMs }: Timeouts): StudioError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new StudioError(
      'headers_too_large',
      `The request line and headers are larger than ${MAX_HEADER_BYTES / 1024} KiB.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new StudioError('request_timeout', 'The request took too long to arrive.', {
      hint: `Send the headers within ${headersMs / 1000} seconds and all of it within ${requestMs / 1000}.`,
    })
  return new StudioError('invalid', 'This is not an HTTP/1.1 request.')
}

/** The caller may try again: another process may serve here soon. */
function stoppedError(): StudioError {
  return new StudioError('unavailable', 'The service stopped before the call was done.', {
    hint: 'Check what was done before you send it again.',
    retryAfterSeconds: 1,
  })
}

/** For the last error responses to leave. */
const FLUSH_MS = 500

/** Calls in progress have a grace period to end by themselves; then they are aborted. */
function closeGracefully(server: Server, stopping: AbortController, gracePeriodMs: number): Promise<void> {
  const grace = setTimeout(() => {
    stopping.abort(stoppedError())
    setTimeout(() => server.closeAllConnections(), FLUSH_MS).unref()
  }, gracePeriodMs)
  return new Promise((resolve, reject) => {
    server.close((error) => {
      clearTimeout(grace)
      if (error) reject(error)
      else resolve()
    })
    server.closeIdleConnections()
  })
}
