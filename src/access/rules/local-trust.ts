/** What the server knows of a call before it looks at any credential. All of it comes from the socket and the raw request. */
export interface CallFacts {
  /** Undefined on a Unix socket. */
  listenerAddress: string | undefined
  listenerPort: number
  /** The socket's own, never a header's. */
  peerAddress: string | undefined
  /** The raw values of every `Host` header. */
  hosts: readonly string[]
  /** Names beside its own that the server answers to: those of a proxy. A caller that uses one is not local. */
  allowedHosts: readonly string[]
  /** The request target as sent: `/api/health`, or in absolute form `http://localhost:4317/api/health`. */
  target: string
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Whether every caller needs a credential. */
  authAlways: boolean
}

export type TrustVerdict =
  /** The person at this machine: no credential is needed. */
  | { verdict: 'local' }
  /** A credential is needed. */
  | { verdict: 'remote'; reason: string }
  /** 403 for everybody, whatever the credential: the caller was led here under a name that is not ours. */
  | { verdict: 'refused'; reason: string }

/** Whether a call may do without a credential. A reason is a sentence that may be shown to the caller. */
export function judgeLocalTrust(facts: CallFacts): TrustVerdict {
  const refused = findHostError(facts) ?? findOriginError(facts)
  if (refused) return { verdict: 'refused', reason: refused }
  const remote = findRemoteReason(facts)
  return remote ? { verdict: 'remote', reason: remote } : { verdict: 'local' }
}

/** On a loopback listener the name must be ours, else a foreign page could have rebound its own name to this machine. */
function findHostError(facts: CallFacts): string | null {
  if (facts.hosts.length !== 1) return 'A call must carry exactly one Host header.'
  if (parseTargetHost(facts.target) === 'unreadable') return 'The request target cannot be read.'
  // Beyond loopback, and on a Unix socket, every call needs a credential; names matter where the server knows which are its own.
  if (!isLoopback(facts.listenerAddress) && facts.allowedHosts.length === 0) return null
  return listHostNames(facts).every((name) => isOwn(name, facts) || isAllowed(name, facts))
    ? null
    : 'The Host header does not name this server.'
}

/** What the call says that it is for: its Host, and that of a target in absolute form. */
function listHostNames({ hosts, target }: CallFacts): string[] {
  const absolute = parseTargetHost(target)
  return absolute === null || absolute === 'unreadable' ? [...hosts] : [...hosts, absolute.host]
}

function isOwn(name: string, facts: CallFacts): boolean {
  return isLoopback(facts.listenerAddress) && isOwnHost(name, facts.listenerPort)
}

function isAllowed(name: string, { allowedHosts }: CallFacts): boolean {
  return allowedHosts.includes(name.toLowerCase())
}

/** Ours is the scheme and the Host of this very call; a page of any other origin has no business here. */
function findOriginError(facts: CallFacts): string | null {
  const origins = getHeaderValues(facts, 'origin')
  if (origins.length === 0) return null
  const host = facts.hosts[0]!.toLowerCase()
  const ours = isOwn(host, facts) ? [`http://${host}`] : [`http://${host}`, `https://${host}`]
  return origins.length === 1 && ours.includes(origins[0]!.toLowerCase())
    ? null
    : 'The Origin header does not name this server.'
}

function findRemoteReason(facts: CallFacts): string | null {
  if (facts.authAlways) return 'This server asks everybody for a credential.'
  if (facts.listenerAddress === undefined) return 'This server asks callers on its socket for a credential.'
  if (!isLoopback(facts.listenerAddress)) return 'This server listens beyond its own machine.'
  if (!isLoopback(facts.peerAddress)) return 'The call comes from another machine.'
  if (!listHostNames(facts).every((name) => isOwn(name, facts))) return 'The call came under the name of a proxy.'
  if (Object.keys(facts.headers).some(isProxyHeader)) return 'The call came through a proxy.'
  const site = getHeaderValues(facts, 'sec-fetch-site')
  if (site.some((value) => !['same-origin', 'none'].includes(value))) return 'A page of another site made the call.'
  return isChange(facts.method) && !isSafeChange(facts) ? 'A change must come as application/json.' : null
}

function isProxyHeader(header: string): boolean {
  return /^(forwarded|x-forwarded(-.*)?|x-real-ip|via|cf-.*)$/i.test(header)
}

function isChange(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase())
}

/** A form that a page can send unasked is neither JSON nor without a body. */
function isSafeChange(facts: CallFacts): boolean {
  const types = getHeaderValues(facts, 'content-type')
  if (types.length === 1 && /^application\/json\s*(;|$)/i.test(types[0]!.trim())) return true
  return !hasBody(facts) && getHeaderValues(facts, 'origin').length === 0
}

function hasBody(facts: CallFacts): boolean {
  const lengths = getHeaderValues(facts, 'content-length')
  return getHeaderValues(facts, 'transfer-encoding').length > 0 || lengths.some((length) => length.trim() !== '0')
}

function getHeaderValues({ headers }: CallFacts, name: string): string[] {
  const values: string[] = []
  for (const key in headers) {
    const value = key.length === name.length && key.toLowerCase() === name ? headers[key] : undefined
    if (value !== undefined) values.push(...(typeof value === 'string' ? [value] : value))
  }
  return values
}

/** 127.0.0.0/8, ::1 and the former written as IPv6; nothing that must be looked up. */
export function isLoopback(address: string | undefined): boolean {
  if (address === '::1') return true
  const octets = /^(?:::ffff:)?127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/i.exec(address ?? '')?.slice(1)
  return octets?.every((octet) => Number(octet) <= 255) ?? false
}

/** Whether a Host value is one of the three names of this machine, with the port that the server listens on. */
function isOwnHost(host: string, port: number): boolean {
  const match = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i.exec(host)
  return match !== null && (match[1] ?? '80') === String(port)
}

/** The authority in a request target of absolute form; null where the target is a path. */
function parseTargetHost(target: string): { host: string } | null | 'unreadable' {
  if (target.startsWith('/') || target === '*') return null
  const match = /^http:\/\/([^/?#]+)(?:[/?#]|$)/i.exec(target)
  return match ? { host: match[1]! } : 'unreadable'
}
