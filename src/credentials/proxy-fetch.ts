import { Agent, EnvHttpProxyAgent, fetch as send } from 'undici'

/** The `fetch` of the platform. */
export type ProxyFetch = (url: string, options: RequestInit) => Promise<Response>

/** The proxies for requests to another machine, as `http://user:password@host:port`; null for none. */
export interface Proxies {
  http: string | null
  https: string | null
  /** Hosts without a proxy, in the format of NO_PROXY. */
  except: string
}

const TIMEOUT_MS = 30_000

/** `fetch` through the proxies of the settings. Follows no redirect, so that a credential goes nowhere else. */
export function createProxyFetch(proxies: Proxies | null): ProxyFetch {
  const options = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, connect: { timeout: TIMEOUT_MS } }
  const dispatcher =
    proxies === null
      ? new Agent(options)
      : new EnvHttpProxyAgent({
          ...options,
          // An empty string means no proxy; undefined would be looked up in the environment.
          httpProxy: proxies.http ?? '',
          httpsProxy: proxies.https ?? '',
          noProxy: proxies.except,
        })
  return async (url, request) =>
    (await send(url, { ...(request as object), redirect: 'manual', dispatcher })) as unknown as Response
}
