import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { type AccessPolicy, loadAccessPolicy, openJwtVerifier, openMailLinks, openPeople } from '../access'
import { keepAuditShort } from '../audit'
import { Bell } from '../background/bell'
import { requireValidSettings } from '../config'
import { keepDocksUp, runWebhookDeliverer } from '../docks'
import { errorCodeOf, type Log, StudioError } from '../kernel'
import { MINUTE_MS } from '../kernel/time'
import { type Database, isPostgresAddress, requireReadableDatabase } from '../storage'
import type { Studio } from '../studio'
import type { StudioContext } from '../studio-context'
import { AnswerTurns } from './answers/answer-turns'
import { describeError, describeRequest } from './answers/error-response'
import { createKey, ResponseCache, sendFromCache } from './answers/response-cache'
import { createApp } from './app'
import type { AppEnv } from './app-env'
import {
  type Call,
  createCall,
  createJudge,
  createProxyCheck,
  type ListenAddress,
  NO_CREDENTIALS,
  type Observer,
  observe,
  requestLog,
} from './call'
import { createCaller, FailedCredentials } from './callers/caller'
import { CallerLimits } from './callers/caller-limits'
import { createGateCaller } from './callers/gate-caller'
import { createPortalCaller } from './callers/portal-caller'
import { findConnectionLimit } from './connections/connection-limit'
import { openConnections } from './connections/connections'
import { listenAt, listenOnSocket } from './connections/listen'
import { OpenStreams } from './connections/open-streams'
import { FirstAnswer } from './first-answer'
import { openMetrics } from './metrics'
import { hasCredentials, misledCallerError } from './request-guards'
import { trackerHookRoute } from './tracker-hooks'

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
  /** Who is let in, as sentences. */
  accessSummary: string[]
  /** Accepts no more calls, and resolves when those in progress are answered. */
  close(): Promise<void>
}

/** Serves the HTTP API where the settings say. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { studio, version, local, log } = options
  await requireValidSettings(studio.settings)
  const { serve, auth } = studio.settings
  const { host, port, socket, allowedHosts, metrics: withMetrics } = serve
  const isTrustedProxy = createProxyCheck(serve.trustedProxies)
  const facts = studio.context({ actor: { kind: 'anonymous' } })
  const { clock, ids, syncMemory } = facts
  await requireReadableDatabase(studio.settings.db)
  const policy: AccessPolicy = { ...serve, ...auth, local }
  const { describeAccessPolicy, requireSafeAccessPolicy } = await loadAccessPolicy()
  await requireSafeAccessPolicy(policy, studio.db, clock.now())
  const jwt = auth.jwt && (await openJwtVerifier(auth.jwt))
  const accessSummary = describeAccessPolicy(policy, { withCommands: true })
  const listener: ListenAddress = { address: undefined, port: 0, allowedHosts, authAlways: !local, isTrustedProxy }
  const draining = new AbortController()
  const stopping = new AbortController()
  const people = auth.oidc && (await openPeople(auth.oidc, { db: studio.db, clock, ids }))
  const mailLinks = openMailLinks(
    { mail: studio.settings.mail, publicUrl: serve.publicUrl },
    { db: studio.db, clock, ids, log },
  )
  const failures = new FailedCredentials()
  const caller = createCaller({ db: studio.db, clock, ids, jwt, people, failures })
  const metrics = withMetrics
    ? await openMetrics(isPostgresAddress(studio.settings.db) ? (studio.db as Required<Database>) : null, {
        memory: syncMemory,
        now: () => clock.now(),
      })
    : null
  const cache = new ResponseCache(studio.db)
  const bell = new Bell()
  const limits = new CallerLimits(serve)
  const app = await createApp(
    {
      studio,
      caller,
      people,
      mailLinks,
      portal: createPortalCaller({ db: studio.db, clock, ids, failures }),
      gate: createGateCaller({ db: studio.db, clock, ids, failures }),
      version,
      accessSummary: describeAccessPolicy(policy, { withCommands: false }),
      cache,
      limits,
      turns: new AnswerTurns(),
      streams: new OpenStreams(caller),
      draining: draining.signal,
      stopping: stopping.signal,
      log,
    },
    [trackerHookRoute({ caller, limits }, facts, () => bell.ring()), ...(metrics ? [metrics.route(caller)] : [])],
  )
  const firstAnswer = new FirstAnswer()
  const observers = [requestLog(log), firstAnswer, ...(metrics ? [metrics] : [])]
  const connections = openConnections(createListener(app.fetch, { listener, observers, cache }), {
    limit: findConnectionLimit(),
    isTrustedProxy,
    refused: (limit) => metrics?.countRefusedConnection(limit),
  })
  const { server } = connections
  const bound = socket === null ? await listenAt(server, host, port) : await listenOnSocket(server, socket)
  Object.assign(listener, { address: bound.address, port: bound.port })
  const context = { ...studio.context({ actor: { kind: 'local' }, signal: draining.signal }), log }
  // The first call that needs the database finds it open, or reports why it cannot be opened.
  void studio.db.read(async () => {}).catch(() => {})
  const keepUp = async () => {
    await firstAnswer.wait(draining.signal)
    const works = [
      () => keepDocksUp(context),
      () => runWebhookDeliverer(context),
      () => keepAuditShort(context, studio.settings.audit.keepDays),
      ...listSyncWork(studio, context, bell),
    ]
    await Promise.all(works.map((run) => runWhenLoaded(run, context)))
  }
  const upkeepDone = keepUp()
  const close = async () => {
    draining.abort()
    mailLinks?.close()
    await connections.close(stopping)
    await upkeepDone
  }
  return { url: bound.url, accessSummary, close }
}

const DEFAULT_SYNC_MINUTES = 5

/** The sync of work items, unless the settings turn it off or have no tracker. */
function listSyncWork({ settings }: Studio, context: StudioContext, bell: Bell): (() => Promise<void>)[] {
  const hasDefault = settings.tracker.url !== null
  const isUsual = hasDefault || settings.trackers.length > 0
  const minutes = settings.serve.syncEveryMinutes ?? (isUsual ? DEFAULT_SYNC_MINUTES : 'off')
  const readReported = async () => {
    const { keepReportedItemsRead } = await import('../items/services/hooks/read-reported-items')
    await keepReportedItemsRead(context, bell)
  }
  const reading = isUsual ? [readReported] : []
  if (minutes === 'off') return reading
  const sync = async () => {
    const { keepItemsSynced } = await import('../items/services/import/background-sync')
    await keepItemsSynced(context, { everyMs: minutes * MINUTE_MS, hasDefault })
  }
  return [sync, ...reading]
}

const RETRY_MS = 1_000

/** Runs work that loads its files first, which fails while the process has no free handle. Then it is tried again. */
async function runWhenLoaded(
  run: () => Promise<void>,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await run()
    } catch (error) {
      log.warn(`work in the background could not begin: ${errorCodeOf(error)}`)
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}

interface ListenerOptions {
  listener: ListenAddress
  observers: readonly Observer[]
  cache: ResponseCache
}

type Fetch = (request: Request, env: AppEnv['Bindings']) => Response | Promise<Response>

/** What every response says unless its route says otherwise. */
const COMMON_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', Vary: 'Accept-Encoding' }

/**
 * Hands requests over to the app. A request is logged, and gets its common headers, before Hono sees it: Node's adapter refuses some
 * targets and hosts by itself, and those refusals need both as well.
 */
function createListener(fetch: Fetch, { listener, observers, cache }: ListenerOptions): RequestListener {
  const calls = new WeakMap<object, Call>()
  const respond = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      return fetch(request, { incoming, outgoing, call: calls.get(incoming)! })
    },
    // Hono answers an error of a route. What arrives here is an error of the adapter, which is answered below.
    { errorHandler: () => {} },
  )
  const answer = async ({ call, incoming, outgoing }: AppEnv['Bindings']) => {
    calls.set(incoming, call)
    outgoing.setHeader('X-Request-Id', call.requestId)
    for (const name in COMMON_HEADERS) outgoing.setHeader(name, COMMON_HEADERS[name as keyof typeof COMMON_HEADERS])
    await respond(incoming, outgoing)
    if (!outgoing.headersSent && !outgoing.destroyed) await refuseUnreadable(call, incoming, outgoing)
  }
  const judge = createJudge(listener, ({ trust }, incoming) => {
    const mayBeCached = trust.verdict !== 'refused' && !hasCredentials(incoming)
    return mayBeCached ? createKey({ trust, credentials: NO_CREDENTIALS }, incoming) : null
  })
  return (incoming, outgoing) => {
    const judged = judge(incoming)
    const call = createCall(judged)
    observe(observers, call, outgoing)
    const request = { call, incoming, outgoing }
    const { cacheKey } = judged
    if (cacheKey === null || !sendFromCache(cache, request, cacheKey)) void answer(request)
  }
}

async function refuseUnreadable(call: Call, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { trust } = call
  const error =
    trust.verdict === 'refused'
      ? misledCallerError(trust.reason)
      : new StudioError('invalid', 'The request target cannot be read.')
  call.code = error.code
  const { status, headers, body } = await describeError(error, describeRequest(call, incoming))
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}
