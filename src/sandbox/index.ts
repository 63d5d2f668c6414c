import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorCodeOf, StudioError } from '../kernel'
import { memoizeAsync } from '../kernel/work/memoize-async'
import type { Site } from './http/dispatch'
import { createListener, type Exchange } from './http/listener'
import type { SandboxState } from './state/state'
import { openStore } from './state/store'

export { type Exchange, writeHead } from './http/listener'
export { type SandboxState, STATE_FORMAT } from './state/state'
export type { WireResponse } from './wire/response'

export interface SandboxOptions {
  /** The file that stores changes. Several processes can share it; null stores them in memory only. */
  file: string | null
  /** Default: any free port. */
  port?: number
  /** Required as the password of Basic or as Bearer; if absent, no credential is required. */
  token?: string
  /** `http://127.0.0.1:4318`: the address in links to pages and in texts, if it differs from the sandbox's own. */
  webOrigin?: string
  /** Answers each request instead of the sandbox: for tests. */
  answer?: (exchange: Exchange) => Promise<void>
  /** Milliseconds since 1970. */
  clock?: () => number
  /** The initial state if nothing is stored yet; by default the sample backlog. It is not modified. */
  seed?: SandboxState
}

export interface RunningSandbox {
  /** `http://127.0.0.1:PORT/organization`, without a slash at its end. */
  url: string
  /** As `url`, with the address for browsers. */
  webUrl: string
  project: string
  token: string | null
  /** Ends every connection. */
  close(): Promise<void>
}

/** Created once for all sandboxes of a process, none of which modifies it. */
const sampleBacklog = memoizeAsync(async () => (await import('./seed/sample-backlog')).createSampleBacklog())

/** Requests need no credential, so no other machine may send them. */
const HOST = '127.0.0.1'

/**
 * Starts a local tracker that speaks the wire protocol of the real one. Throws `tracker_unavailable` if the state file cannot be
 * read or the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { port = 0, token = null, clock = Date.now } = options
  const store = await openStore(options.file, async () => options.seed ?? sampleBacklog())
  const { organization, project } = await store.read()
  const site: Site = { store, origin: '', webOrigin: '', organization, token, clock }
  const server = createServer(createListener(site, options.answer))
  const address = await listen(server, port)
  site.origin = `http://${HOST}:${address.port}`
  site.webOrigin = options.webOrigin ?? site.origin
  return {
    url: `${site.origin}/${organization}`,
    webUrl: `${site.webOrigin}/${organization}`,
    project: project.name,
    token,
    close: () => close(server),
  }
}

async function listen(server: Server, port: number): Promise<AddressInfo> {
  try {
    await once(server.listen(port, HOST), 'listening')
    return server.address() as AddressInfo
  } catch (error) {
    const code = errorCodeOf(error)
    const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`
    throw new StudioError('tracker_unavailable', `The sandbox cannot start: ${HOST}:${port} ${why}.`, {
      hint: 'Let it pick a free port: studio sandbox --port 0',
      cause: error,
    })
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
