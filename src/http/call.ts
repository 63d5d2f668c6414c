import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { type CallFacts, judgeLocalTrust, type TrustVerdict, type User } from '../access'
import type { DockCaller, Log } from '../kernel'

/** The owners of the credentials that came with a request; each credential was checked. */
export interface Credentials {
  user: User | null
  dock: DockCaller | null
}

/** How long a response may be sent again: while the database has this version, or for a time. */
export type Validity = { version: object } | { forMs: number }

/** A request: what the server knows of it, and what becomes of it. */
export interface Call {
  requestId: string
  method: string
  /** Without its query, which may contain what must not be logged. */
  path: string
  trust: TrustVerdict
  /** The socket's address, or the client's where a trusted proxy names it; `socket` on a Unix socket. */
  peer: string
  credentials: Credentials
  /** The secret of the session of the console that the credentials are of; null if the request had them itself. */
  sessionSecret: string | null
  /** The pattern that answered: `/api/stories/{id}`; null where none fits. */
  route: string | null
  /** The caller's name for the log. */
  caller: string | null
  /** The code of the error, where the response is one. */
  code: string | null
  /** Whether an operation was called. */
  isOpened: boolean
  /** The limit of the caller that refused the request; null if none did. */
  limitedBy: 'rate' | 'concurrency' | null
  /** How long the response may be sent again from the cache; null where it may not. */
  validity: Validity | null
}

/** Where the server listens. The socket of a call does not show it: a server on all interfaces looks local there. */
export interface ListenAddress {
  /** Undefined on a Unix socket. */
  address: string | undefined
  port: number
  allowedHosts: readonly string[]
  authAlways: boolean
  isTrustedProxy: IsTrustedProxy
}

/** What the bytes of a request and its connection say, whatever the server has in store. */
export interface JudgedRequest {
  method: string
  url: string
  rawHeaders: readonly string[]
  path: string
  trust: TrustVerdict
  peer: string
  /** The ID that the caller gave; null if it gave none. */
  requestId: string | null
  /** Where a response in the cache answers it; null if it has credentials, which must be checked first, or is refused. */
  cacheKey: string | null
}

/**
 * Judges requests. Connections mostly repeat one request, which is judged once. A request with credentials is not remembered, so that
 * memory does not hold them.
 */
export function createJudge(
  listener: ListenAddress,
  chooseCacheKey: (judged: Omit<JudgedRequest, 'cacheKey'>, incoming: IncomingMessage) => string | null,
): (incoming: IncomingMessage) => JudgedRequest {
  const lastOf = new WeakMap<object, JudgedRequest>()
  return (incoming) => {
    const { socket } = incoming
    const last = lastOf.get(socket)
    if (last !== undefined && isSameRequest(last, incoming)) return last
    const facts = collectFacts(incoming, listener)
    const judged = {
      method: facts.method,
      url: facts.target,
      rawHeaders: incoming.rawHeaders,
      path: pathOf(facts.target),
      trust: judgeLocalTrust(facts),
      peer: findPeer(incoming, listener),
      requestId: findRequestId(incoming.headers['x-request-id']),
    }
    const whole = { ...judged, cacheKey: chooseCacheKey(judged, incoming) }
    if (whole.cacheKey !== null && isShort(whole)) lastOf.set(socket, whole)
    else lastOf.delete(socket)
    return whole
  }
}

/** An idle connection must not hold much memory. */
const MAX_REMEMBERED_LENGTH = 2_000

function isShort({ url, rawHeaders }: JudgedRequest): boolean {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length) <= MAX_REMEMBERED_LENGTH
}

function isSameRequest({ method, url, rawHeaders }: JudgedRequest, incoming: IncomingMessage): boolean {
  const other = incoming.rawHeaders
  if (url !== incoming.url || method !== incoming.method || rawHeaders.length !== other.length) return false
  for (let i = 0; i < rawHeaders.length; i++) if (rawHeaders[i] !== other[i]) return false
  return true
}

export function createCall({ requestId, method, path, trust, peer }: JudgedRequest): Call {
  return {
    requestId: requestId ?? randomUUID(),
    method,
    path,
    trust,
    peer,
    credentials: NO_CREDENTIALS,
    sessionSecret: null,
    route: null,
    caller: null,
    code: null,
    isOpened: false,
    limitedBy: null,
    validity: null,
  }
}

/** The address that is logged, and that failed credentials count against. Only the socket decides whether a call is local. */
function findPeer({ socket, headers }: IncomingMessage, { isTrustedProxy }: ListenAddress): string {
  const forwardedFor = headers['x-forwarded-for'] as string | undefined
  return findClientAddress(socket.remoteAddress, forwardedFor, isTrustedProxy) ?? 'socket'
}

export const NO_CREDENTIALS: Credentials = { user: null, dock: null }

function collectFacts(incoming: IncomingMessage, listener: ListenAddress): CallFacts {
  return {
    listenerAddress: listener.address,
    listenerPort: listener.port,
    allowedHosts: listener.allowedHosts,
    authAlways: listener.authAlways,
    peerAddress: incoming.socket.remoteAddress,
    hosts: headerValues(incoming.rawHeaders, 'host'),
    target: incoming.url ?? '',
    method: incoming.method ?? 'GET',
    headers: incoming.headers,
  }
}

function pathOf(target: string): string {
  const end = target.search(/[?#]/)
  return end < 0 ? target : target.slice(0, end)
}

function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === name.length && rawHeaders[i]!.toLowerCase() === name) values.push(rawHeaders[i + 1]!)
  return values
}

function findRequestId(given: string | string[] | undefined): string | null {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : null
}

/** The log with the request's id in every line, so that a caller's report leads to the lines of the request. */
export function callLog({ requestId }: Call, log: Log): Log {
  return {
    debug: (message, facts) => log.debug(message, { requestId, ...facts }),
    info: (message, facts) => log.info(message, { requestId, ...facts }),
    warn: (message, facts) => log.warn(message, { requestId, ...facts }),
    error: (message, facts) => log.error(message, { requestId, ...facts }),
  }
}

/** A signal for one call: aborted with any of `sources`, or after the timeout. `done` removes its listeners. */
export function createCallSignal(
  sources: readonly AbortSignal[],
  timeoutMs: number,
): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const abort = (event: Event) => controller.abort(reasonOf(event.target as AbortSignal))
  for (const source of sources) {
    if (source.aborted) controller.abort(reasonOf(source))
    setMaxListeners(0, source) // as many as there are calls
    source.addEventListener('abort', abort)
  }
  const timer = setTimeout(
    () => controller.abort(new DOMException('The call took too long.', 'TimeoutError')),
    timeoutMs,
  )
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer)
      for (const source of sources) source.removeEventListener('abort', abort)
    },
  }
}

/** The adapter's reason for a caller who has left is a bare text, which by itself would look like an internal error. */
function reasonOf({ reason }: AbortSignal): unknown {
  return reason instanceof Error ? reason : new DOMException('The caller has left.', 'AbortError')
}

/** The outcome of a call, when its last byte was sent or its caller left. */
export interface Outcome {
  status: number
  durationMs: number
  /** True if the caller left before the end. */
  aborted: boolean
}

export interface Observer {
  begun?(): void
  ended(call: Call, outcome: Outcome): void
}

/** Notifies the observers when a call begins and when its response ends. */
export function observe(observers: readonly Observer[], call: Call, outgoing: ServerResponse): void {
  if (observers.length === 0) return
  const startedAt = performance.now()
  for (const observer of observers) observer.begun?.()
  outgoing.on('close', () => {
    const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000
    const outcome = { status: outgoing.statusCode, durationMs, aborted: !outgoing.writableFinished }
    for (const observer of observers) observer.ended(call, outcome)
  })
}

/** Writes a line for each request. Headers, queries and bodies are never written, so that the log holds no secrets. */
export function requestLog(log: Log): Observer {
  return {
    ended(call, { status, durationMs, aborted }) {
      const { requestId, method, path, route, peer, caller, code } = call
      const facts = {
        requestId,
        method,
        path,
        route,
        status,
        durationMs,
        peer,
        caller,
        code: code ?? undefined,
        aborted: aborted || undefined,
      }
      if (status >= 500) log.warn('request', facts)
      else log.info('request', facts)
    },
  }
}

/** The name of proxies on the Unix socket in the list of trusted proxies. */
const UNIX_SOCKET = 'unix'

/** Whether the peer of a connection is a proxy whose X-Forwarded-For is trusted. The address of a Unix socket is undefined. */
export type IsTrustedProxy = (address: string | undefined) => boolean

/** `names` are addresses (`127.0.0.1`), networks (`10.0.0.0/8`, `fd00::/8`) and `unix`. */
export function createProxyCheck(names: readonly string[]): IsTrustedProxy {
  if (names.length === 0) return () => false
  const listed = new BlockList()
  for (const name of names.filter((each) => each !== UNIX_SOCKET)) {
    const [address, bits] = name.split('/') as [string, string?]
    if (bits === undefined) listed.addAddress(address, getAddressFamily(address))
    else listed.addSubnet(address, Number(bits), getAddressFamily(address))
  }
  const isSocketTrusted = names.includes(UNIX_SOCKET)
  return (address) => {
    if (address === undefined) return isSocketTrusted
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*/s, '')
    return isIP(plain) !== 0 && listed.check(plain, getAddressFamily(plain))
  }
}

/**
 * The address that failed credentials count against: that of the peer or, behind trusted proxies, the last one in `X-Forwarded-For` that is
 * not a trusted proxy. The client may have written the addresses before it. Undefined for a peer on a Unix socket.
 */
export function findClientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  isTrusted: IsTrustedProxy,
): string | undefined {
  const hops = forwardedFor === undefined || !isTrusted(peer) ? [] : forwardedFor.split(',')
  let client = peer
  while (hops.length > 0 && isTrusted(client)) {
    const hop = parseHop(hops.pop()!)
    if (hop === null) break
    client = hop
  }
  return client
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseHop(hop: string): string | null {
  const text = hop.trim()
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) === 0 ? null : address
}

function getAddressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
