import { isLoopback } from '../../kernel/loopback'

/** What the server knows about a request before it checks credentials. It comes from the socket and the raw request only. */
export interface CallFacts {
  /** Undefined on a Unix socket. */
  listenerAddress: string | undefined
  listenerPort: number
  /** The address of the socket, never of a header. */
  peerAddress: string | undefined
  /** The raw values of every `Host` header. */
  hosts: readonly string[]
  /** Additional names of the server, such as those of a proxy. A caller that uses one is not local. */
  allowedHosts: readonly string[]
  /** The request target as sent: `/api/health`, or in absolute form `http://localhost:4317/api/health`. */
  target: string
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Whether every caller needs a credential. */
  authAlways: boolean
}

export type TrustVerdict =
  /** A local caller: no credential is needed. */
  | { verdict: 'local' }
  /** A credential is needed. */
  | { verdict: 'remote'; reason: string }
  /** 403 regardless of the credential, because the caller used a name or an origin that is not the server's. */
  | { verdict: 'refused'; reason: string }

/** Decides whether a request needs a credential. The reason is a sentence for the caller. */
export function judgeLocalTrust(facts: CallFacts): TrustVerdict {
  const names = listHostNames(facts)
  const isOwnName = names.every((name) => isOwn(name, facts))
  const refused = findHostError(facts, names, isOwnName) ?? findOriginError(facts)
  if (refused) return { verdict: 'refused', reason: refused }
  const remote = findRemoteReason(facts, isOwnName)
  return remote ? { verdict: 'remote', reason: remote } : LOCAL
}

const LOCAL: TrustVerdict = { verdict: 'local' }

/** On a loopback address the host must be the server's own; otherwise a web page could rebind its own name to this machine. */
function findHostError(facts: CallFacts, names: readonly string[], isOwnName: boolean): string | null {
  if (facts.hosts.length !== 1) return 'A request must have exactly one Host header.'
  if (parseTargetHost(facts.target) === 'invalid') return 'The request target is invalid.'
  // Other addresses and Unix sockets always need a credential, so the name matters only if the allowed names are configured.
  if (!isLoopback(facts.listenerAddress) && facts.allowedHosts.length === 0) return null
  return isOwnName || names.every((name) => isOwn(name, facts) || isAllowed(name, facts))
    ? null
    : 'The Host header does not name this server.'
}

/** The host names of the request: the Host header, and the host of a target in absolute form. */
function listHostNames({ hosts, target }: CallFacts): readonly string[] {
  const absolute = parseTargetHost(target)
  return absolute === null || absolute === 'invalid' ? hosts : [...hosts, absolute.host]
}

function isOwn(name: string, facts: CallFacts): boolean {
  return isLoopback(facts.listenerAddress) && isOwnHost(name, facts.listenerPort)
}

function isAllowed(name: string, { allowedHosts }: CallFacts): boolean {
  return allowedHosts.includes(name.toLowerCase())
}

/** Refuses web pages of any origin but that of the request itself. */
function findOriginError(facts: CallFacts): string | null {
  const origins = getHeaderValues(facts, 'origin')
  if (origins.length === 0) return null
  const host = facts.hosts[0]!.toLowerCase()
  const ours = isOwn(host, facts) ? [`http://${host}`] : [`http://${host}`, `https://${host}`]
  return origins.length === 1 && ours.includes(origins[0]!.toLowerCase())
    ? null
    : 'The Origin header does not name this server.'
}

function findRemoteReason(facts: CallFacts, isOwnName: boolean): string | null {
  if (facts.authAlways) return 'This server requires a credential from every caller.'
  if (facts.listenerAddress === undefined) return 'This server requires a credential from callers on its socket.'
  if (!isLoopback(facts.listenerAddress)) return 'This server is reachable from other machines.'
  if (!isLoopback(facts.peerAddress)) return 'The request comes from another machine.'
  if (!isOwnName) return 'The request uses the name of a proxy.'
  if (hasProxyHeader(facts)) return 'The request came through a proxy.'
  const site = getHeaderValues(facts, 'sec-fetch-site')
  if (site.some((value) => !['same-origin', 'none'].includes(value)))
    return 'A web page of another site sent the request.'
  return isChange(facts.method) && !isSafeChange(facts) ? 'A change must be sent as application/json.' : null
}

function hasProxyHeader({ headers }: CallFacts): boolean {
  for (const name in headers) if (/^(forwarded|x-forwarded(-.*)?|x-real-ip|via|cf-.*)$/i.test(name)) return true
  return false
}

function isChange(method: string): boolean {
  return method !== 'GET' && !['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase())
}

/** A form that a web page can submit across sites is not JSON and has a body. */
function isSafeChange(facts: CallFacts): boolean {
  const types = getHeaderValues(facts, 'content-type')
  if (types.length === 1 && /^application\/json\s*(;|$)/i.test(types[0]!.trim())) return true
  return !hasBody(facts) && getHeaderValues(facts, 'origin').length === 0
}

function hasBody(facts: CallFacts): boolean {
  const lengths = getHeaderValues(facts, 'content-length')
  return getHeaderValues(facts, 'transfer-encoding').length > 0 || lengths.some((length) => length.trim() !== '0')
}

function getHeaderValues({ headers }: CallFacts, name: string): readonly string[] {
  let values = NO_VALUES
  for (const key in headers) {
    const value = key.length === name.length && key.toLowerCase() === name ? headers[key] : undefined
    if (value !== undefined) values = values.concat(value)
  }
  return values
}

const NO_VALUES: readonly string[] = []

/** Whether a Host value is a loopback name with the port of the server. */
function isOwnHost(host: string, port: number): boolean {
  const match = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i.exec(host)
  return match !== null && (match[1] ?? '80') === String(port)
}

/** The host of a request target in absolute form; null if the target is a path. */
function parseTargetHost(target: string): { host: string } | null | 'invalid' {
  if (target.startsWith('/') || target === '*') return null
  const match = /^http:\/\/([^/?#]+)(?:[/?#]|$)/i.exec(target)
  return match ? { host: match[1]! } : 'invalid'
}
