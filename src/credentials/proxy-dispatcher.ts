import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { isLoopbackHost } from '../kernel/loopback'
import { isExcepted } from './no-proxy'

/** The proxies for requests to another machine, as `http://user:password@host:port`; null for none. */
export interface ProxySettings {
  http: string | null
  https: string | null
  /** Hosts without a proxy, in the format of NO_PROXY: `.corp.example, tracker.example:8443` or `*`. */
  except: string
}

/** The proxy for an address; null for none. A proxy cannot reach services on this machine. */
export function selectProxy(address: string | URL, proxies: ProxySettings | null): URL | null {
  const url = new URL(address)
  const proxy = url.protocol === 'https:' ? (proxies?.https ?? proxies?.http) : proxies?.http
  return !proxy || isLoopbackHost(url.hostname) || isExcepted(url, proxies!.except) ? null : new URL(proxy)
}

/** Sends each request through the proxy for its address, if there is one. */
export function createDispatcher(proxies: ProxySettings | null, options: Agent.Options): Dispatcher {
  return new Agent({
    ...options,
    factory(origin, settings) {
      const proxy = selectProxy(origin, proxies)
      if (proxy === null) return new Pool(origin, settings)
      return new ProxyAgent({
        ...options,
        uri: proxy.origin,
        ...((proxy.username || proxy.password) && { token: encodeBasic(proxy) }),
      })
    },
  })
}

/** The credentials of the proxy. A `%` that begins no escape is a part of the password, as for curl. */
function encodeBasic({ username, password }: URL): string {
  const [user, secret] = [username, password].map((text) =>
    text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString()),
  )
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
}
