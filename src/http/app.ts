import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { loadOperation } from '../catalog'
import { gateRoutes } from '../console/gate/gate-routes'
import { portalRoutes } from '../console/portal/routes'
import { consoleRoutes, unknownPage } from '../console/routes'
import {
  type Access,
  type AnyOperation,
  asStudioError,
  findExhaustedResource,
  hint,
  type Log,
  StudioError,
  suggestCommand,
} from '../kernel'
import { requireBoundedJson } from '../kernel/input/bounded-input'
import { groupBy } from '../kernel/work/group-by'
import { errorResponse, toDatabaseUnavailable } from './answers/error-response'
import { compressResponse } from './answers/response-body'
import { cacheResponses } from './answers/response-cache'
import type { AppContext, AppEnv, AppHandler, AppRoute } from './app-env'
import type { AppOptions } from './app-options'
import { type Call, callLog } from './call'
import type { CallerLimits } from './callers/caller-limits'
import { discoveryRoutes } from './discovery/routes'
import { createIdempotency } from './idempotency'
import { openCall } from './operation-call'
import { handlerFor } from './operation-route'
import { recordRefusedCall } from './refused-call'
import { identifyCaller, limitBody, limitQuery, refuseMisledCaller } from './request-guards'
import { loadRouteTable, type RouteEntry } from './route-table'
import { streamHandlerFor } from './stream-route'

/** The HTTP API: a route for each operation of the catalog, the descriptions of the service, and the tools for agents. */
export async function createApp(options: AppOptions, more: readonly AppRoute[] = []): Promise<Hono<AppEnv>> {
  const table = await loadRouteTable()
  // The router that Hono would choose at the first request, after another one that does not take all of these paths.
  const app = new Hono<AppEnv>({ router: new TrieRouter() })
  const refused = (error: unknown, call: Call) => recordRefusedCall(error, call, { ...options, table })
  app.onError(async (error, c) => {
    logUnexpected(error, callLog(c.env.call, options.log))
    await refused(error, c.env.call)
    return errorResponse(c, toDatabaseUnavailable(error, options.studio.settings.db))
  })
  const showUnknownPage = unknownPage(options, refused)
  app.notFound((c) => {
    if (isConsolePage(c)) return showUnknownPage(c)
    options.limits.countRequest(c.env.call)
    return isBrowserAtRoot(c) ? c.redirect('/console') : errorResponse(c, noRouteError(c.req.path))
  })
  app.use(refuseMisledCaller)
  app.use(limitQuery)
  app.use(identifyCaller(options.caller))
  app.use(cacheResponses(options.cache))
  app.use(compressResponse)
  addRoutes(app, options.limits, [
    ...discoveryRoutes(() => loadInSteps(table), options),
    agentToolsRoute(options),
    ...consoleRoutes(options, refused),
    ...portalRoutes(options, refused),
    ...gateRoutes(options),
    ...more,
    ...operationRoutes(table, options),
  ])
  return app
}

/** Errors of operations were logged by them. What is left are those before an operation, and the reason for a 503 of this process. */
function logUnexpected(error: Error, log: Log): void {
  if (findExhaustedResource(error) !== null) log.warn(asStudioError(error).message)
  else if (asStudioError(error).code === 'internal' && !(error instanceof StudioError))
    log.error('request failed', { cause: error })
}

/** All operations, with a pause after each, because other calls would wait for the loading of all of them. */
async function loadInSteps(table: readonly RouteEntry[]): Promise<AnyOperation[]> {
  const operations: AnyOperation[] = []
  for (const { id } of table) {
    operations.push(await loadOperation(id))
    await setImmediate()
  }
  return operations
}

function operationRoutes(table: readonly RouteEntry[], options: AppOptions): AppRoute[] {
  const routeOptions = { ...options, idempotency: createIdempotency(options.studio.db) }
  const createHandler = async (id: string): Promise<AppHandler> => {
    const op = await loadOperation(id)
    const whole = handlerFor(op, routeOptions)
    return op.stream ? streamHandlerFor(op, routeOptions, whole) : whole
  }
  return table.map(({ id, method, path, maxBodyBytes }) => {
    let handler: AppHandler | null = null
    return {
      method,
      path: path.replace(/\{(\w+)\}/g, ':$1'),
      ...(maxBodyBytes !== undefined && { maxBodyBytes }),
      async handler(c, next) {
        handler ??= await createHandler(id)
        return handler(c, next)
      },
    }
  })
}

/**
 * The operations as tools for agents: the credentials of a call decide which tools there are. A token opens those of the stories, a dock
 * key those of the docks, and both together open both.
 */
function agentToolsRoute(options: AppOptions): AppRoute {
  const { studio, caller, limits, streams, version, stopping } = options
  return {
    method: 'POST',
    path: '/mcp',
    async handler(c) {
      const actorFor = (access: Access) => caller.actorFor(c.env.call, access)
      if (actorFor('workspace').kind === 'anonymous') throw missingTokenError()
      const { answerToolRequest, parseToolQuery } = await import('../mcp/http')
      const selection = await parseToolQuery(c.req.query())
      // Read here, so that a body that is too large or too deep gets the same error as on every other route.
      const body = await c.req.text()
      requireBoundedJson(body)
      return answerToolRequest(new Request(c.req.raw, { body }), {
        version,
        isOffered: await studio.loadCapabilityTest(),
        selection,
        actorFor,
        async open({ op, actor, signal, progress, notice }) {
          // A request may have several calls.
          limits.countRequest(c.env.call)
          const credential = streams.watch(c.env)
          const sources = [signal, stopping, credential.ended]
          try {
            const call = await openCall(op, c.env.call, options, { actor, sources, progress, notice, surface: 'mcp' })
            const done = () => {
              call.endTurn()
              call.done()
              credential.done()
            }
            return { context: call.context, done }
          } catch (error) {
            credential.done()
            throw error
          }
        },
      })
    },
  }
}

function missingTokenError(): StudioError {
  return new StudioError('unauthenticated', 'The tools need a token, or a dock key.', {
    hint: hint`Send Authorization: Bearer <token>. Create a token: ${suggestCommand('tokens.create', { name: 'agent', role: 'reader' })}`,
  })
}

/** Adds the routes of each path, and a refusal of all its other methods that names the allowed ones. */
function addRoutes(app: Hono<AppEnv>, limits: CallerLimits, routes: readonly AppRoute[]): void {
  for (const [path, own] of sortStaticFirst(groupBy(routes, ({ path }) => path))) {
    const pattern = path.replace(/:(\w+)/g, '{$1}')
    const withPattern = (
      handler: AppHandler,
      { maxBodyBytes, countsRequest }: Pick<AppRoute, 'maxBodyBytes' | 'countsRequest'> = {},
    ): AppHandler => {
      return (c, next) => {
        c.env.call.route = pattern
        // What the cache answers costs next to nothing, and never comes here.
        if (!countsRequest) limits.countRequest(c.env.call)
        limitBody(c, limits, maxBodyBytes)
        return handler(c, next)
      }
    }
    for (const route of own) app.on(route.method, path, withPattern(route.handler, route))
    const allowed = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const refuseMethod = withPattern((c) => {
      c.header('Allow', allowed.join(', '))
      return errorResponse(c, wrongMethodError(c.req.method, allowed))
    })
    app.all(path, refuseMethod)
  }
}

/** `/api/stories/saved` before `/api/stories/{id}`: the router takes the first that fits. */
function sortStaticFirst(byPath: ReadonlyMap<string, AppRoute[]>): [string, AppRoute[]][] {
  return [...byPath].sort(([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')))
}

/** Programs get the error that they have always got there. */
function isBrowserAtRoot({ req }: AppContext): boolean {
  return req.path === '/' && req.method === 'GET' && (req.header('accept') ?? '').includes('text/html')
}

function isConsolePage({ req }: AppContext): boolean {
  return req.path.startsWith('/console/') && req.method === 'GET'
}

function noRouteError(path: string): StudioError {
  return new StudioError('not_found', `There is no endpoint at ${path}.`, {
    hint: 'See what there is: GET /openapi.json',
  })
}

function wrongMethodError(method: string, methods: string[]): StudioError {
  return new StudioError('method_not_allowed', `This endpoint does not support ${method}.`, {
    hint: `Use ${methods.join(' or ')}.`,
  })
}
