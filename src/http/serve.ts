import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import {
  type AccessPolicy,
  createJwtVerifier,
  createProxyCheck,
  describeAccessPolicy,
  loadJwtIssuer,
  requireSafeAccessPolicy,
} from '../access'
import { type Log, StudioError } from '../kernel'
import { type Database, requireReadableDatabase } from '../storage'
import type { Studio } from '../studio'
import { type AppEnv, createApp } from './app'
import { type Call, callOf, type Place } from './call'
import { type Caller, socketCaller } from './caller'
import { openConnections } from './connections'
import { errorAnswer } from './error-answer'
import { FailedCredentials } from './failed-credentials'
import { listenAt, listenOnSocket } from './listen'
import { openMetrics } from './metrics'
import { type Observer, observe, requestLog } from './observer'
import { keyOfCall, RenderedAnswers } from './rendered-answers'
import { unchanged } from './whole-answer'

export interface ServeOptions {
  studio: Studio
  version: string
  /** Whether callers on this machine may do without a credential. */
  local: boolean
  log: Log
}

export interface RunningServer {
  /** `http://127.0.0.1:4317`, or `unix:/run/studio.sock`. */
  url: string
  /** Who is let in, in words. */
  accessSummary: string[]
  /** Takes no more calls, and resolves when those under way are answered. */
  close(): Promise<void>
}

/** Serves the HTTP API where the settings say. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { studio, version, local, log } = options
  const { serve, auth } = studio.settings
  const { host, port, socket, allowedHosts, metrics: withMetrics } = serve
  const isTrustedProxy = createProxyCheck(serve.trustedProxies)
  const clock = { now: () => Date.now() }
  await requireReadableDatabase(studio.settings.db)
  const policy: AccessPolicy = { ...serve, jwt: auth.jwt, local }
  await requireSafeAccessPolicy(policy, studio.db, clock.now())
  const jwt = auth.jwt && createJwtVerifier(loadJwtIssuer(auth.jwt))
  const place: Place = { address: undefined, port: 0, allowedHosts, authAlways: !local, isTrustedProxy }
  const stopping = new AbortController()
  const caller = socketCaller({ db: studio.db, clock, jwt, failures: new FailedCredentials() })
  const metrics = withMetrics ? await openMetrics() : null
  const rendered = new RenderedAnswers(SAID_ALWAYS)
  const app = await createApp(
    { studio, caller, version, rendered, stopping: stopping.signal, log },
    metrics ? [metrics.route(caller)] : [],
  )
  const observers = metrics ? [requestLog(log), metrics] : [requestLog(log)]
  const connections = openConnections(guarded(app.fetch, { db: studio.db, caller, rendered, place, observers }))
  const { server } = connections
  const bound = socket === null ? await listenAt(server, host, port) : await listenOnSocket(server, socket)
  Object.assign(place, { address: bound.address, port: bound.port })
  return { url: bound.url, accessSummary: describeAccessPolicy(policy), close: () => connections.close(stopping) }
}

type Fetch = (request: Request, env: AppEnv['Bindings']) => Response | Promise<Response>

interface Guard {
  db: Database
  caller: Pick<Caller, 'identify'>
  rendered: RenderedAnswers
  place: Place
  observers: readonly Observer[]
}

/** What an answer says if it does not say otherwise. */
const SAID_ALWAYS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', Vary: 'Accept-Encoding' }

/** Before anything else reads a request: who is refused whatever they bring, who it is, and what every answer says. */
function guarded(fetch: Fetch, { db, caller, rendered, place, observers }: Guard): RequestListener {
  const calls = new WeakMap<IncomingMessage, Call>()
  const answer = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      return fetch(request, { incoming, outgoing, call: calls.get(incoming as IncomingMessage)! })
    },
    // What goes wrong in a route is answered there: this is a target that is no URL, and is answered below.
    { errorHandler: () => {} },
  )
  const answerAnew = async (exchange: Exchange): Promise<void> => {
    const { call, incoming, outgoing } = exchange
    calls.set(incoming, call)
    outgoing.setHeader('X-Request-Id', call.requestId)
    for (const [name, value] of Object.entries(SAID_ALWAYS)) outgoing.setHeader(name, value)
    await answer(incoming, outgoing)
    if (!outgoing.headersSent && !outgoing.destroyed) await refuse(unreadable(), exchange)
  }
  const answerKnown = async (exchange: Exchange): Promise<void> => {
    try {
      exchange.call.credentials = await caller.identify(exchange.call, exchange.incoming.headers)
    } catch (error) {
      return refuse(error, exchange)
    }
    if (!giveKept(rendered, db, exchange)) await answerAnew(exchange)
  }
  // Without a promise as far as it goes: most answers are kept ones, for callers who bring nothing.
  return (incoming, outgoing) => {
    const call = callOf(incoming, place)
    const exchange = { call, incoming, outgoing }
    observe(observers, call, outgoing)
    if (call.trust.verdict === 'refused') return refuse(misled(call.trust.reason), exchange)
    if (bringsCredentials(incoming)) return answerKnown(exchange)
    if (!giveKept(rendered, db, exchange)) return answerAnew(exchange)
  }
}

interface Exchange {
  call: Call
  incoming: IncomingMessage
  outgoing: ServerResponse
}

function bringsCredentials({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

/** Sends the answer of before to a read that would be answered the same again; false where there is none. */
function giveKept(rendered: RenderedAnswers, db: Database, { call, incoming, outgoing }: Exchange): boolean {
  if (incoming.method !== 'GET') return false
  const kept = rendered.find(db.version?.() ?? null, keyOfCall(call, incoming))
  if (kept === null) return false
  call.route = kept.route
  call.caller = kept.caller
  const condition = incoming.headers['if-none-match']
  const known = condition === undefined ? null : unchanged(kept.headers, condition)
  const headers = known ? Object.entries({ ...SAID_ALWAYS, ...known }).flat() : kept.lines
  outgoing.writeHead(known ? 304 : 200, ['X-Request-Id', call.requestId, ...headers])
  outgoing.end(known ? undefined : kept.body)
  return true
}

async function refuse(error: unknown, { call, incoming, outgoing }: Exchange): Promise<void> {
  const { accept, authorization } = incoming.headers
  const { code, status, headers, body } = await errorAnswer(error, {
    requestId: call.requestId,
    accept,
    sentBearer: authorization !== undefined,
    path: call.path,
  })
  call.code = code
  const own = { 'X-Request-Id': call.requestId, ...SAID_ALWAYS, ...headers }
  outgoing.writeHead(status, { ...own, 'Content-Length': Buffer.byteLength(body) })
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}

/** For everybody: the caller was led here under a name, or by a page, that is not ours. */
function misled(reason: string): StudioError {
  return new StudioError('forbidden', reason, {
    hint: 'Call it by the address that studio serve prints; for the name of a proxy: studio serve --allow-host <name>',
  })
}

function unreadable(): StudioError {
  return new StudioError('invalid', 'The request target cannot be read.')
}
