import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { loadAllOperations } from '../catalog'
import { type AnyOperation, StudioError } from '../kernel'
import type { Studio } from '../studio'
import type { Caller } from './caller'
import { errorResponse } from './error-response'
import { openApiDocument } from './openapi'
import { allowedMethods, handlerFor, routePath } from './operation-route'

export const BODY_LIMIT_BYTES = 1024 * 1024

export interface Variables {
  requestId: string
}

export interface AppOptions {
  studio: Studio
  /** Who sends the request; throws for one that nobody may send. */
  caller: Caller
  version: string
  /** Aborted when the server stops and has waited long enough. */
  stopping: AbortSignal
}

/** The HTTP API: one route an operation of the catalog, and the description of them. */
export async function createApp(options: AppOptions): Promise<Hono<{ Variables: Variables }>> {
  const operations = (await loadAllOperations()).filter((op) => op.http)
  const app = new Hono<{ Variables: Variables }>()
  app.use(async (c, next) => {
    c.set('requestId', requestIdOf(c.req.header('x-request-id')))
    await next()
    c.header('X-Request-Id', c.get('requestId'))
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('Cache-Control', 'no-store')
  })
  app.onError((error, c) => errorResponse(c, error))
  app.notFound((c) => errorResponse(c, noRoute(c.req.path)))
  app.use(async (c, next) => {
    options.caller.admit(c)
    await next()
  })
  app.use(bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: (c) => errorResponse(c, tooLarge()) }))
  app.get('/openapi.json', (c) => c.json(openApiDocument(operations, options.version)))
  for (const op of staticPathsFirst(operations))
    app.on(op.http!.method.toUpperCase(), routePath(op), handlerFor(op, options))
  const offered = allowedMethods(operations).set('/openapi.json', ['GET', 'HEAD'])
  for (const [path, methods] of offered) {
    app.all(path, (c) => {
      c.header('Allow', methods.join(', '))
      return errorResponse(c, wrongMethod(c.req.method, methods))
    })
  }
  return app
}

/** `/api/stories/saved` before `/api/stories/{id}`: the router takes the first that fits. */
function staticPathsFirst(operations: AnyOperation[]): AnyOperation[] {
  return [...operations].sort((a, b) => Number(a.http!.path.includes('{')) - Number(b.http!.path.includes('{')))
}

function requestIdOf(given: string | undefined): string {
  return given && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : crypto.randomUUID()
}

function noRoute(path: string): StudioError {
  return new StudioError('not_found', `There is nothing at ${path}.`, { hint: 'See what there is: GET /openapi.json' })
}

function wrongMethod(method: string, methods: string[]): StudioError {
  return new StudioError('method_not_allowed', `${method} is not offered here.`, {
    hint: `Use ${methods.join(' or ')}.`,
  })
}

function tooLarge(): StudioError {
  return new StudioError('payload_too_large', 'The body is larger than 1 MiB.', { hint: 'Send it in several calls.' })
}
