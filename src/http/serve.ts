import type { Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { isLoopback } from '../access'
import { StudioError } from '../kernel'
import type { Studio } from '../studio'
import { createApp } from './app'
import { socketCaller } from './caller'

export interface ServeOptions {
  studio: Studio
  host: string
  /** 0 takes a free one. */
  port: number
  version: string
  /** Also local callers need a credential. */
  alwaysAuthenticate: boolean
}

export interface RunningServer {
  url: string
  /** Takes no more calls, and resolves when those under way are answered. */
  close(): Promise<void>
}

const HEADERS_WITHIN_MS = 10_000
const REQUEST_WITHIN_MS = 30_000
const IDLE_MS = 60_000

export async function startServer(options: ServeOptions): Promise<RunningServer> {
  requireLoopback(options.host)
  const { studio, version } = options
  const bound = { address: '', port: 0 }
  const caller = socketCaller({
    db: studio.db,
    clock: { now: () => Date.now() },
    boundAddress: () => bound.address,
    alwaysAuthenticate: options.alwaysAuthenticate,
  })
  const stopping = new AbortController()
  const app = await createApp({ studio, caller, version, stopping: stopping.signal })
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  server.headersTimeout = HEADERS_WITHIN_MS
  server.requestTimeout = REQUEST_WITHIN_MS
  server.keepAliveTimeout = IDLE_MS
  Object.assign(bound, await listen(server, options))
  const host = isIPv6(options.host) ? `[${options.host}]` : options.host
  return { url: `http://${host}:${bound.port}`, close: () => closeServer(server, stopping) }
}

/** The story API trusts whoever is at this machine, so it must not be offered to others. */
function requireLoopback(host: string): void {
  if (host === 'localhost' || isLoopback(host)) return
  throw new StudioError(
    'invalid',
    `Refusing to listen on ${host}: callers from other machines could not be told apart.`,
    {
      hint: 'Use --host 127.0.0.1, and a proxy or a tunnel of your own for others.',
    },
  )
}

function listen(server: Server, { host, port }: ServeOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)))
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  if (error.code === 'EADDRINUSE') {
    return new StudioError('unavailable', `Port ${port} is taken.`, {
      hint: 'Use another one: --port 0 picks a free one.',
      cause: error,
    })
  }
  if (error.code === 'EACCES') {
    return new StudioError('invalid', `Port ${port} may not be used by this user.`, {
      hint: 'Use a port above 1023: --port 4317',
      cause: error,
    })
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StudioError('invalid', `${host} is not an address of this machine.`, {
      hint: 'Use --host 127.0.0.1',
      cause: error,
    })
  }
  return error
}

const GRACE_MS = 5_000

/** Calls under way have a few seconds to end by themselves; then they are ended. */
function closeServer(server: Server, stopping: AbortController): Promise<void> {
  const grace = setTimeout(() => {
    stopping.abort(new DOMException('The server stops.', 'AbortError'))
    setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS).unref()
  }, GRACE_MS)
  return new Promise((resolve, reject) => {
    server.close((error) => {
      clearTimeout(grace)
      if (error) reject(error)
      else resolve()
    })
    server.closeIdleConnections()
  })
}

/** For the answers that tell of the end to leave. */
const LAST_WORDS_MS = 500
