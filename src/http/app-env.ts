import type { HttpBindings } from '@hono/node-server'
import type { Context, Handler } from 'hono'
import type { Call } from './call'

export interface AppEnv {
  Bindings: HttpBindings & { call: Call }
}

export type AppContext = Context<AppEnv>
export type AppHandler = Handler<AppEnv>

/** The largest body for a route that takes one from every caller: enough for a form with a token or a JWT. */
export const PUBLIC_BODY_BYTES = 16 * 1024

/** One method of one path. */
export interface AppRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the router writes it: `/api/stories/:id`. */
  path: string
  handler: AppHandler
  /** The largest body; by default that of calls whose caller is authorized before the body is read. */
  maxBodyBytes?: number
  /** True if the handler counts the request for its caller, because it finds out who that is. */
  countsRequest?: true
}
