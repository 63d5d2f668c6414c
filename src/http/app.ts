import type { HttpBindings } from '@hono/node-server'
import { type Handler, Hono } from 'hono'
import { loadOperation } from '../catalog'
import { type Log, StudioError } from '../kernel'
import type { Studio } from '../studio'
import { agentToolsRoute } from './agent-tools-route'
import { bodyWithin } from './body-limit'
import type { Call } from './call'
import type { Caller } from './caller'
import { packedAndKept } from './compression'
import { discoveryRoutes } from './discovery/routes'
import { errorResponse } from './error-response'
import { idempotencyOver } from './idempotency'
import { handlerFor } from './operation-route'
import type { RenderedAnswers } from './rendered-answers'
import { loadRouteTable, type RouteEntry } from './route-table'
import { streamHandlerFor } from './stream-route'

export interface AppEnv {
  Bindings: HttpBindings & { call: Call }
}

export interface AppOptions {
  studio: Studio
  /** Who a call is from. Its credentials are checked before it comes here. */
  caller: Pick<Caller, 'actorFor'>
  version: string
  /** Where answers are kept that hold until the database changes. */
  rendered: RenderedAnswers
  /** Aborted when the server stops and has waited long enough. */
  stopping: AbortSignal
  log: Log
}

/** One method of one path. */
export interface AppRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the router writes it: `/api/stories/:id`. */
  path: string
  handler: Handler<AppEnv>
}

/** The HTTP API: one route an operation of the catalog, the description of them, and what else the server offers. */
export async function createApp(options: AppOptions, more: readonly AppRoute[] = []): Promise<Hono<AppEnv>> {
  const table = await loadRouteTable()
  const app = new Hono<AppEnv>()
  app.onError((error, c) => errorResponse(c, error))
  app.notFound((c) => errorResponse(c, noRoute(c.req.path)))
  app.use(packedAndKept(options.rendered))
  app.use(bodyWithin)
  offer(app, [
    ...discoveryRoutes(() => Promise.all(table.map(({ id }) => loadOperation(id))), options),
    agentToolsRoute(options),
    ...more,
    ...operationRoutes(table, options),
  ])
  return app
}

function operationRoutes(table: readonly RouteEntry[], options: AppOptions): AppRoute[] {
  const routed = { ...options, idempotency: idempotencyOver(options.studio.db) }
  const handlerOf = async (id: string): Promise<Handler<AppEnv>> => {
    const op = await loadOperation(id)
    const whole = handlerFor(op, routed)
    return op.stream ? streamHandlerFor(op, routed, whole) : whole
  }
  return table.map(({ id, method, path }) => {
    let handler: Handler<AppEnv> | null = null
    return {
      method,
      path: path.replace(/\{(\w+)\}/g, ':$1'),
      async handler(c, next) {
        handler ??= await handlerOf(id)
        return handler(c, next)
      },
    }
  })
}

/** The routes of a path, and after them the refusal of all other methods, so that it says those of this path. */
function offer(app: Hono<AppEnv>, routes: readonly AppRoute[]): void {
  const byPath = new Map<string, AppRoute[]>()
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route])
  for (const [path, own] of staticPathsFirst(byPath)) {
    const pattern = path.replace(/:(\w+)/g, '{$1}')
    const named = (handler: Handler<AppEnv>): Handler<AppEnv> => {
      return (c, next) => {
        c.env.call.route = pattern
        return handler(c, next)
      }
    }
    for (const { method, handler } of own) app.on(method, path, named(handler))
    const allowed = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const refuse = named((c) => {
      c.header('Allow', allowed.join(', '))
      return errorResponse(c, wrongMethod(c.req.method, allowed))
    })
    app.all(path, refuse)
  }
}

/** `/api/stories/saved` before `/api/stories/{id}`: the router takes the first that fits. */
function staticPathsFirst(byPath: ReadonlyMap<string, AppRoute[]>): [string, AppRoute[]][] {
  return [...byPath].sort(([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')))
}

function noRoute(path: string): StudioError {
  return new StudioError('not_found', `There is nothing at ${path}.`, { hint: 'See what there is: GET /openapi.json' })
}

function wrongMethod(method: string, methods: string[]): StudioError {
  return new StudioError('method_not_allowed', `${method} is not offered here.`, {
    hint: `Use ${methods.join(' or ')}.`,
  })
}
