import { fetch as send } from 'undici'
import { createDispatcher, type ProxySettings } from './proxy-dispatcher'

/** The `fetch` of the platform. */
export type ProxyFetch = (url: string, options: RequestInit) => Promise<Response>

const TIMEOUT_MS = 30_000

/** `fetch` through the proxies of the settings. Follows no redirect, so that a credential goes nowhere else. */
export function createProxyFetch(proxies: ProxySettings | null): ProxyFetch {
  const options = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, connect: { timeout: TIMEOUT_MS } }
  const dispatcher = createDispatcher(proxies, options)
  return async (url, request) =>
    (await send(url, { ...(request as object), redirect: 'manual', dispatcher })) as unknown as Response
}
