import type { Log } from '../kernel'
import type { Studio } from '../studio'
import type { Caller } from './caller'
import type { ResponseCache } from './response-cache'

/** What the routes are made from. */
export interface AppOptions {
  studio: Studio
  caller: Caller
  cache: ResponseCache
  version: string
  /** Aborted when the server stops and has waited long enough. */
  stopping: AbortSignal
  log: Log
}
