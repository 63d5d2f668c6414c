import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { isLoopbackHost } from '../kernel/loopback'

/** The proxies for requests to another machine, as `http://user:password@host:port`; null for none. */
export interface ProxySettings {
  http: string | null
  https: string | null
  /** Hosts without a proxy, in the format of NO_PROXY: `.corp.example, tracker.example:8443` or `*`. */
  except: string
}

/** The host of the proxy for an address; null for none. A proxy cannot reach services on this machine. */
export function selectProxy(address: string, proxies: ProxySettings | null): string | null {
  const { protocol, hostname } = new URL(address)
  const proxy = protocol === 'https:' ? (proxies?.https ?? proxies?.http) : proxies?.http
  return !proxy || isLoopbackHost(hostname) ? null : new URL(proxy).host
}

/** Sends requests through the proxies, also to this machine; null for direct connections. */
export function createDispatcher(proxies: ProxySettings | null, options: Agent.Options): Dispatcher {
  if (proxies === null) return new Agent(options)
  // An empty string means no proxy; undefined would be looked up in the environment.
  const { http, https, except } = proxies
  return new EnvHttpProxyAgent({ ...options, httpProxy: http ?? '', httpsProxy: https ?? '', noProxy: except })
}
