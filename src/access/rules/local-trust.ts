import { hostOfTarget, isLoopback, ownHost } from './loopback'

/** What the server knows of a call before it looks at any credential. All of it comes from the socket and the raw request. */
export interface CallFacts {
  listenerAddress: string | undefined
  listenerPort: number
  /** The socket's own, never a header's. */
  peerAddress: string | undefined
  /** The raw values of every `Host` header. */
  hosts: readonly string[]
  /** The request target as sent: `/api/health`, or in absolute form `http://localhost:4317/api/health`. */
  target: string
  method: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The setting that nobody may do without a credential. */
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
  const refused = wrongHost(facts) ?? wrongOrigin(facts)
  if (refused) return { verdict: 'refused', reason: refused }
  const remote = whyRemote(facts)
  return remote ? { verdict: 'remote', reason: remote } : { verdict: 'local' }
}

/** On a loopback listener the name must be ours, else a foreign page could have rebound its own name to this machine. */
function wrongHost(facts: CallFacts): string | null {
  if (facts.hosts.length !== 1) return 'A call must carry exactly one Host header.'
  const absolute = hostOfTarget(facts.target)
  if (absolute === 'unreadable') return 'The request target cannot be read.'
  if (!isLoopback(facts.listenerAddress)) return null
  const names = [facts.hosts[0]!, ...(absolute === null ? [] : [absolute.host])]
  return names.every((name) => ownHost(name, facts.listenerPort)) ? null : 'The Host header does not name this server.'
}

/** Ours is the scheme and the Host of this very call; a page of any other origin has no business here. */
function wrongOrigin(facts: CallFacts): string | null {
  const origins = headerValues(facts, 'origin')
  if (origins.length === 0) return null
  const host = facts.hosts[0]!.toLowerCase()
  const ours = isLoopback(facts.listenerAddress) ? [`http://${host}`] : [`http://${host}`, `https://${host}`]
  return origins.length === 1 && ours.includes(origins[0]!.toLowerCase())
    ? null
    : 'The Origin header does not name this server.'
}

function whyRemote(facts: CallFacts): string | null {
  if (facts.authAlways) return 'This server asks everybody for a credential.'
  if (!isLoopback(facts.listenerAddress)) return 'This server listens beyond its own machine.'
  if (!isLoopback(facts.peerAddress)) return 'The call comes from another machine.'
  if (Object.keys(facts.headers).some(tellsOfProxy)) return 'The call came through a proxy.'
  const site = headerValues(facts, 'sec-fetch-site')
  if (site.some((value) => !['same-origin', 'none'].includes(value))) return 'A page of another site made the call.'
  return isChange(facts.method) && !isPlainChange(facts) ? 'A change must come as application/json.' : null
}

function tellsOfProxy(header: string): boolean {
  return /^(forwarded|x-forwarded(-.*)?|x-real-ip|via|cf-.*)$/i.test(header)
}

function isChange(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase())
}

/** A form that a page can send unasked is neither JSON nor without a body. */
function isPlainChange(facts: CallFacts): boolean {
  const types = headerValues(facts, 'content-type')
  if (types.length === 1 && /^application\/json\s*(;|$)/i.test(types[0]!.trim())) return true
  return !hasBody(facts) && headerValues(facts, 'origin').length === 0
}

function hasBody(facts: CallFacts): boolean {
  const lengths = headerValues(facts, 'content-length')
  return headerValues(facts, 'transfer-encoding').length > 0 || lengths.some((length) => length.trim() !== '0')
}

function headerValues(facts: CallFacts, name: string): string[] {
  return Object.entries(facts.headers).flatMap(([key, value]) =>
    value === undefined || key.toLowerCase() !== name ? [] : value,
  )
}
