import type { HttpBindings } from '@hono/node-server'
import type { Context, Handler } from 'hono'
import type { Call } from './call'

export interface AppEnv {
  Bindings: HttpBindings & { call: Call }
}

export type AppContext = Context<AppEnv>
export type AppHandler = Handler<AppEnv>

/** One method of one path. */
export interface AppRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the router writes it: `/api/stories/:id`. */
  path: string
  handler: AppHandler
  /** The largest body; by default that of calls whose caller is authorized before the body is read. */
  maxBodyBytes?: number
}
