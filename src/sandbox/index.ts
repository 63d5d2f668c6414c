import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StudioError } from '../kernel'
import { endpoints } from './endpoints'
import type { Site } from './http/dispatch'
import { createFaultChooser, type FaultPlan } from './http/fault-plan'
import { createListener, type RequestRecord } from './http/listener'
import { Router } from './http/router'
import type { SandboxState } from './state/state'
import { openStore } from './state/store'

export type { Fault, FaultedRequest, FaultPlan, FaultRule } from './http/fault-plan'
export type { RequestRecord } from './http/listener'
export { type SandboxState, STATE_FORMAT } from './state/state'

export interface SandboxOptions {
  /** Where changes are kept, which several processes may share; null keeps them in memory. */
  file: string | null
  /** 127.0.0.1 unless given. */
  host?: string
  /** Any free one unless given. */
  port?: number
  /** Asked for, as the password of Basic or as Bearer; without it everybody is let in. */
  token?: string
  /** `http://127.0.0.1:4318`: where people find it, where that is not here: links to pages and in texts name it. */
  webOrigin?: string
  faults?: FaultPlan
  /** Milliseconds since 1970. */
  clock?: () => number
  /** What the sandbox begins with where nothing is kept yet; the sample backlog unless given. It is left unchanged. */
  seed?: SandboxState
}

export interface RunningSandbox {
  /** `http://127.0.0.1:PORT/organization`, without a slash at its end. */
  url: string
  /** As `url`, but where people find it. */
  webUrl: string
  project: string
  token: string | null
  /** The latest requests, oldest first. */
  requests: RequestRecord[]
  /** Ends every connection. */
  close(): Promise<void>
}

const MOST_RECORDS = 1_000

/**
 * Starts a tracker of our own that speaks the tracker's wire protocol. Throws `tracker_unavailable` for a state file that
 * cannot be read, and for a port that is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { host = '127.0.0.1', port = 0, token = null, clock = Date.now } = options
  const store = await openStore(
    options.file,
    async () => options.seed ?? (await import('./seed')).createSampleBacklog(),
  )
  const { organization, project } = await store.read()
  const router = new Router(endpoints)
  const site: Site = { store, router, origin: '', webOrigin: '', organization, boundTo: host, token, clock }

  const requests: RequestRecord[] = []
  const fault = createFaultChooser(options.faults ?? [])
  let nth = 0
  const server = createServer(
    createListener(site, {
      chooseFault: ({ method, url, body }) => fault({ method, path: url, body, nth: ++nth }),
      recordRequest(record) {
        requests.push(record)
        if (requests.length > MOST_RECORDS) requests.shift()
      },
    }),
  )
  const address = await listen(server, host, port)
  site.origin = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
  site.webOrigin = options.webOrigin ?? site.origin
  return {
    url: `${site.origin}/${organization}`,
    webUrl: `${site.webOrigin}/${organization}`,
    project: project.name,
    token,
    requests,
    close: () => close(server),
  }
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code})`
      reject(
        new StudioError('tracker_unavailable', `The sandbox cannot start: ${host}:${port} ${why}.`, {
          hint: 'Let it pick a free port: studio sandbox --port 0',
          cause: error,
        }),
      )
    })
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
