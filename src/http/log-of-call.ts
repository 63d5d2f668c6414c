import type { Context } from 'hono'
import type { Log } from '../kernel'
import type { AppEnv } from './app'

/** The log with the request's id in every line, so that a fault is found by what its caller was told. */
export function logOf(c: Context<AppEnv>, log: Log): Log {
  const { requestId } = c.env.call
  return {
    debug: (message, facts) => log.debug(message, { requestId, ...facts }),
    info: (message, facts) => log.info(message, { requestId, ...facts }),
    warn: (message, facts) => log.warn(message, { requestId, ...facts }),
    error: (message, facts) => log.error(message, { requestId, ...facts }),
  }
}
