import { type Address, isThisMachine } from './address'

/** What requests to another machine go through, as `http://user:password@host:port`; `except` names hosts as NO_PROXY does. */
export interface Proxies {
  http: string | null
  https: string | null
  except: string
}

/** The proxy for this address, as people read it, without a password. No proxy can reach what runs on this machine. */
export function proxyTo({ base }: Address, proxies: Proxies | null): string | null {
  const { protocol, hostname } = new URL(base)
  const proxy = protocol === 'https:' ? (proxies?.https ?? proxies?.http) : proxies?.http
  return !proxy || isThisMachine(hostname) ? null : new URL(proxy).host
}
