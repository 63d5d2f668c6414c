import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { isLoopbackHost } from '../kernel/loopback'

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

/** Whether NO_PROXY contains the host, or a domain that the host is in. */
function isExcepted({ protocol, hostname, port }: URL, except: string): boolean {
  const suffix = `:${port || (protocol === 'https:' ? 443 : 80)}`
  return except.split(/[,\s]/).some((text) => {
    const entry = text.toLowerCase()
    // The name of an entry with another port keeps it, so that it is the name of no host.
    const name = (entry.endsWith(suffix) ? entry.slice(0, -suffix.length) : entry).replace(/^\*?\./, '')
    return entry === '*' || (name !== '' && (hostname === name || hostname.endsWith(`.${name}`)))
  })
}

/** Sends each request through the proxy for its address, if there is one. */
export function createDispatcher(proxies: ProxySettings | null, options: Agent.Options): Dispatcher {
  return new Agent({
    ...options,
    factory(origin, settings) {
      const proxy = selectProxy(origin, proxies)
      return proxy === null ? new Pool(origin, settings) : new ProxyAgent({ ...options, uri: proxy.href })
    },
  })
}
